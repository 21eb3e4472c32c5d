import type { Overview, Said } from "@comanda/protocol";
import type { OwnSession } from "../../back-office/own-session.ts";
import type { PosState } from "../../back-office/pos-state.ts";
import type { Reachability } from "../../back-office/reachability.ts";
import { isoTime, isoTimeOrNull, type World } from "../../platform/world.ts";
import type { HubConfig } from "../../settings/config.ts";
import type { Outages } from "./outages.ts";
import { isLoopback } from "../../platform/loopback.ts";

export type BackOfficeStatusView = ReturnType<typeof createBackOfficeStatus>;
type State = Overview["backOffice"]["state"];

/** The state of the connection to the back-office, since when, and the last time that it could not be reached. */
export function createBackOfficeStatus(
  deps: {
    world: World;
    reachability: Pick<Reachability, "isUp" | "isNetworkDown" | "lastContactAt">;
    own: Pick<OwnSession, "hasCredentials" | "refusal" | "isSignedIn">;
    pos: Pick<PosState, "catalogue">;
    config: Pick<HubConfig, "backOffice">;
    outages: Outages;
  },
  onChange: (state: State, said: Said | null) => void,
) {
  const { world, reachability, own, pos, outages } = deps;
  const { url } = deps.config.backOffice;
  const isOnThisMachine = isLoopback(URL.parse(url)?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "");
  let state = judge();
  let since = world.clock.now();
  /** A session that expired and was opened anew interrupts no answers. */
  let answersSince: number | null = null;

  function judge(): State {
    if (!own.hasCredentials) return "not_configured";
    if (reachability.isUp() === false) return "unreachable";
    if (own.refusal() !== null) return "refused";
    return own.isSignedIn() ? "reachable" : "signed_out";
  }

  return {
    /** With the back-office's address for a manager; for others only where it is this machine's loopback. */
    read(isManager = false): Overview["backOffice"] {
      const next = judge();
      if (next !== state) {
        const now = world.clock.now();
        const answers = next === "reachable" || next === "signed_out";
        if (!answers) answersSince = null;
        else answersSince ??= state === "reachable" ? since : now;
        since = next === "reachable" ? (answersSince ?? now) : now;
        state = next;
        onChange(state, own.refusal());
      }
      const lastContactAt = reachability.lastContactAt();
      // What was once read of it outlives a restart.
      const everReached = lastContactAt !== null || pos.catalogue() !== null;
      // A name that was never found is more likely a wrong one than a sign of a missing network.
      const isNetworkDown = everReached && reachability.isNetworkDown();
      const isDown = state === "unreachable";
      return {
        state,
        since: isoTime(isDown ? (outages.downSince() ?? since) : since),
        lastSyncAt: isoTimeOrNull(lastContactAt),
        cause: isDown ? (isNetworkDown ? "no_network" : "no_answer") : null,
        lastOutage: outages.last(),
        everReached,
        address: isManager || isOnThisMachine ? url : null,
      };
    },
  };
}
