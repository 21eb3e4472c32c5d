import { Reservation, RESERVATIONS_PLUGIN } from "@comanda/protocol";
import { describeIssues } from "../platform/describe-issues.ts";

/** Why terminals will drop a record that is stored all the same: the rules of a booking that it breaks. */
export function bookingWarnings(pluginId: string, payload: unknown): string[] {
  if (pluginId !== RESERVATIONS_PLUGIN) return [];
  const { error } = Reservation.safeParse(payload);
  return error === undefined ? [] : [`terminals will not show this booking: ${describeIssues(error)}`];
}
