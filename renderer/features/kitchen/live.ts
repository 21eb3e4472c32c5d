import type { OperatorTicket, StreamEvent, TicketList } from "@comanda/protocol";
import { hubCache, hubKey } from "../../lib/hub.ts";

const READY_LENGTH = 100;

/** Puts changed tickets where they belong now: among the open ones or the ready ones. */
export function applyToKitchen(events: readonly StreamEvent[]): void {
  const changed = new Map<string, OperatorTicket>();
  for (const event of events) if (event.type === "ticket") changed.set(event.ticket.ticketId, event.ticket);
  if (changed.size === 0) return;
  const tickets = [...changed.values()];
  const isReady = (ticket: OperatorTicket) => ticket.isOver;
  patch("open", (list) =>
    [...list.filter((ticket) => !changed.has(ticket.ticketId)), ...tickets.filter((t) => !isReady(t))].toSorted(bySent),
  );
  patch("ready", (list) =>
    [...tickets.filter(isReady), ...list.filter((ticket) => !changed.has(ticket.ticketId))].slice(0, READY_LENGTH),
  );

  function patch(state: "open" | "ready", change: (list: OperatorTicket[]) => OperatorTicket[]) {
    hubCache.setQueryData<TicketList>(
      hubKey("kitchen", { query: { state } }),
      (list) => list && { tickets: change(list.tickets) },
    );
  }
}

function bySent(a: OperatorTicket, b: OperatorTicket): number {
  return a.sentAt.localeCompare(b.sentAt);
}
