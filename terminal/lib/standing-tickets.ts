import type { KitchenTicket } from "@comanda/protocol";

/**
 * A station that does not mark serving lets go of a ticket once it is ready, and its house may not mark it here either: what
 * has stood this long counts as taken.
 */
const TAKEN_AFTER_MS = 15 * 60_000;

/** Of the tickets that have left the kitchen's lists, those whose dishes still stand ready at the pass. */
export function standingTickets(recent: readonly KitchenTicket[], now: number): readonly KitchenTicket[] {
  return recent.filter(
    ({ expired, readyAt }) => expired !== true && (readyAt === null || now - Date.parse(readyAt) < TAKEN_AFTER_MS),
  );
}
