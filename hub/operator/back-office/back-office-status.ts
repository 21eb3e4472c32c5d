import type { Overview, Sentence } from "@comanda/protocol";
import type { OwnSession } from "../../back-office/own-session.ts";
import type { PosState } from "../../back-office/pos-state.ts";
import type { Reachability } from "../../back-office/reachability.ts";
import { isoTime, isoTimeOrNull, type World } from "../../platform/world.ts";
import type { HubConfig } from "../../settings/config.ts";
import type { Outages } from "./outages.ts";
import { isLoopback } from "../../platform/loopback.ts";

export type BackOfficeStatusView = ReturnType<typeof createBackOfficeStatus>;
type State = Overview["backOffice"]["state"];

/** The state of the connection to the back-office, since when, and its last outage. */
export function createBackOfficeStatus(
  deps: {
    world: World;
    reachability: Pick<Reachability, "isUp" | "isNetworkDown" | "lastContactAt">;
    own: Pick<OwnSession, "hasCredentials" | "refusal" | "isSignedIn">;
    pos: Pick<PosState, "catalogue">;
    config: Pick<HubConfig, "backOffice">;
    outages: Outages;
  },
  onChange: (state: State, reason: Sentence | null) => void,
) {
  const { world, reachability, own, pos, outages } = deps;
  const { url } = deps.config.backOffice;
  const isOnThisMachine = isLoopback(URL.parse(url)?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "");
  let state = evaluate();
  let since = world.clock.now();
  /** Since when the back-office answers; renewing an expired session does not interrupt this. */
  let answersSince: number | null = null;

  function evaluate(): State {
    if (!own.hasCredentials) return "not_configured";
    if (reachability.isUp() === false) return "unreachable";
    if (own.refusal() !== null) return "refused";
    return own.isSignedIn() ? "reachable" : "signed_out";
  }

  return {
    /** Returns the status, with the back-office's address for managers; for others only if it is a loopback address. */
    read(isManager = false): Overview["backOffice"] {
      const next = evaluate();
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
      // A catalogue read in an earlier run counts too.
      const everReached = lastContactAt !== null || pos.catalogue() !== null;
      // A name that was never resolved is more likely wrong than a sign of a missing network.
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
