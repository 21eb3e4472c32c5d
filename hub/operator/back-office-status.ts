import type { Overview } from "@comanda/protocol";
import type { OwnSession } from "../back-office/own-session.ts";
import type { Reachability } from "../back-office/reachability.ts";
import { isoTime, type World } from "../platform/world.ts";

export type BackOfficeStatusView = ReturnType<typeof createBackOfficeStatus>;
type State = Overview["backOffice"]["state"];

/** The state of the connection to the back-office, and since when. */
export function createBackOfficeStatus(
  deps: { world: World; reachability: Reachability; own: OwnSession },
  onChange: (state: State, text: string) => void,
) {
  const { world, reachability, own } = deps;
  let state = judge();
  let since = world.clock.now();

  function judge(): State {
    if (!own.hasCredentials) return "not_configured";
    if (reachability.isUp() === false) return "unreachable";
    if (own.refusal() !== null) return "refused";
    return own.isSignedIn() ? "reachable" : "signed_out";
  }

  return {
    read(): Overview["backOffice"] {
      const next = judge();
      if (next !== state) {
        since = world.clock.now();
        state = next;
        onChange(state, own.refusal() ?? "");
      }
      const lastContactAt = reachability.lastContactAt();
      return { state, since: isoTime(since), lastSyncAt: lastContactAt === null ? null : isoTime(lastContactAt) };
    },
  };
}
