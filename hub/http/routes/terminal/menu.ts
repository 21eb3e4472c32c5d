import type { Floors, ItemState, PosConfig, Station } from "@comanda/protocol";
import type { PosState } from "../../../back-office/pos-state.ts";
import { appendJsonField } from "../../../platform/append-json-field.ts";
import { isoTime, type World } from "../../../platform/world.ts";
import { Reply, type TerminalHandlers } from "../../handlers.ts";
import { etagOf, isNotModified } from "../../etag.ts";
import { requireConfig } from "../require-config.ts";

interface Deps {
  world: World;
  pos: PosState;
  stations(): readonly Station[];
  /** Items that have run out, or will. */
  itemStates(): readonly ItemState[];
}

/** Routes for the point of sale's data: the last good copy, even if the back-office is unreachable. */
export function terminalMenuRoutes({ world, pos, stations, itemStates }: Deps) {
  /** The last menu as text, so that a large one is not serialized for every terminal. */
  let cached: { key: string; text: string; etag: string } | null = null;

  function menuOf(config: PosConfig, menuVersion: string) {
    // Leaves out what changes all day: the floor plan has its own route, and used numbers concern only the hub.
    const { floors: _floors, ncfSequences, rounding = "line", ...menu } = config;
    const ncfTypes = ncfSequences?.map(({ type }) => type);
    const added = { stations: stations(), itemStates: itemStates(), ...(ncfTypes && { ncfTypes }), menuVersion };
    const key = JSON.stringify(added);
    if (cached?.key === key) return cached;
    const text = JSON.stringify({ ...menu, rounding, ...added });
    cached = { key, text, etag: etagOf(text) };
    return cached;
  }

  return {
    async menu({ ctx }) {
      const { value, at, menuVersion } = await requireConfig({ world, pos });
      const { text, etag } = menuOf(value, menuVersion);
      return isNotModified(ctx, etag)
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
