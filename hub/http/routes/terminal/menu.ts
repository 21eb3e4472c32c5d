import type { Floors, ItemState, PosConfig, Station } from "@comanda/protocol";
import type { PosState } from "../../../back-office/pos-state.ts";
import { appendJsonField } from "../../../platform/append-json-field.ts";
import { isoTime, type World } from "../../../platform/world.ts";
import { Reply, type TerminalHandlers } from "../../handlers.ts";
import { etagOf, isKnownAnswer } from "../../known-answer.ts";
import { requireConfig } from "../require-config.ts";

interface Deps {
  world: World;
  pos: PosState;
  stations(): readonly Station[];
  /** What has run out, or will. */
  itemStates(): readonly ItemState[];
}

/** What terminals show of the point of sale: from the last good copy, whether or not the line is up. */
export function terminalMenuRoutes({ world, pos, stations, itemStates }: Deps) {
  /** The last menu as text: a large one is not serialized for every terminal. */
  let kept: { key: string; text: string; etag: string } | null = null;

  function menuOf(config: PosConfig, menuVersion: string) {
    // Table states and used numbers change all day: the plan has a route of its own, how many are left is the hub's business.
    const { floors: _floors, ncfSequences, rounding = "line", ...menu } = config;
    const ncfTypes = ncfSequences?.map(({ type }) => type);
    const added = { stations: stations(), itemStates: itemStates(), ...(ncfTypes && { ncfTypes }), menuVersion };
    const key = JSON.stringify(added);
    if (kept?.key === key) return kept;
    const text = JSON.stringify({ ...menu, rounding, ...added });
    kept = { key, text, etag: etagOf(text) };
    return kept;
  }

  return {
    async menu({ ctx }) {
      const { value, at, menuVersion } = await requireConfig({ world, pos });
      const { text, etag } = menuOf(value, menuVersion);
      return isKnownAnswer(ctx, etag)
        ? new Reply(null, 304)
        : new Reply(appendJsonField(text, "asOf", JSON.stringify(isoTime(at))));
    },

    async floors(): Promise<Floors> {
      await requireConfig({ world, pos });
      const { value: floors, at } = pos.floors() ?? { value: [], at: 0 };
      return { floors, asOf: isoTime(at) };
    },
  } satisfies Partial<TerminalHandlers>;
}
