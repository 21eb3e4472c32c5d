import type { KitchenTicket, TicketLine } from "@comanda/protocol";
import { standingTickets } from "../../lib/standing-tickets.ts";
import { leftOf } from "./ticket-facts.ts";

export interface ExpoLine {
  ticket: KitchenTicket;
  line: TicketLine;
}

/** What one table, or one check without a table, waits for. */
export interface ExpoGroup {
  id: string;
  /** When the oldest of it was sent, ISO 8601. */
  sentAt: string;
  /** The oldest ticket: it says for whom. */
  first: KitchenTicket;
  /** Cooked and not taken yet. */
  ready: readonly ExpoLine[];
  missing: readonly ExpoLine[];
}

/** What the tables wait for, the oldest first. `recent` are the tickets that have left the kitchen's lists. */
export function expoGroups(
  tickets: readonly KitchenTicket[],
  recent: readonly KitchenTicket[],
  now: number,
): ExpoGroup[] {
  const all = [...tickets, ...standingTickets(recent, now)].toSorted((one, other) =>
    one.sentAt < other.sentAt ? -1 : one.sentAt > other.sentAt ? 1 : 0,
  );
  return [...Map.groupBy(all, keyOf)].flatMap(([id, group]) => {
    const lines = group.flatMap((ticket) => ticket.lines.map((line) => ({ ticket, line })));
    const ready = lines.filter(({ line }) => line.state === "ready");
    const missing = lines.filter(({ line }) => leftOf(line) > 0);
    const [first] = group;
    if (first === undefined || ready.length + missing.length === 0) return [];
    return [{ id, sentAt: first.sentAt, first, ready, missing }];
  });
}

function keyOf({ tableId, posReference }: KitchenTicket): string {
  return tableId === null ? posReference : `table ${tableId}`;
}
