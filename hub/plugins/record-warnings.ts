import { Reservation, RESERVATIONS_PLUGIN, WAITING_PLUGIN, WaitingParty } from "@comanda/protocol";
import { describeIssues } from "../platform/describe-issues.ts";

/** Returns the rules of its plugin that a stored record breaks, for which terminals drop it. Empty if they show it. */
export function recordWarnings(pluginId: string, payload: unknown): { warnings?: string[] } {
  const broken =
    pluginId === RESERVATIONS_PLUGIN
      ? Reservation.safeParse(payload).error
      : pluginId === WAITING_PLUGIN
        ? WaitingParty.safeParse(payload).error
        : undefined;
  if (broken === undefined) return {};
  const noun = pluginId === RESERVATIONS_PLUGIN ? "booking" : "party";
  return { warnings: [`terminals will not show this ${noun}: ${describeIssues(broken)}`] };
}
