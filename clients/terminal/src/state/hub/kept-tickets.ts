import type { KitchenTicket } from "@comanda/protocol";
import { checksOf } from "@comanda/rules";

/** Tickets that are over are kept for a recall; beyond that the oldest go. */
const MOST_OVER = 100;

/** The kitchen's tickets, and which of them each check holds shares of. */
export function createKeptTickets() {
  const tickets = new Map<string, KitchenTicket>();
  /** The ids of the tickets of which a check holds shares, or held some. */
  const idsOfCheck = new Map<string, Set<string>>();

  return {
    get: (id: string) => tickets.get(id),
    /** Also those that are over, as far as they are kept. */
    all: () => tickets.values(),
    keys: () => tickets.keys(),
    /** The checks that hold shares of a ticket, or held some. */
    holdersOf(id: string): ReadonlySet<string> {
      const ticket = tickets.get(id);
      return ticket === undefined ? new Set() : checksOf(ticket);
    },
    /** Those of which a check holds shares, or held some. */
    ofCheck: (posReference: string): KitchenTicket[] =>
      [...(idsOfCheck.get(posReference) ?? [])].flatMap((id) => tickets.get(id) ?? []),
    /** Answers what changed: the ticket, and a ticket that is over and no longer kept. */
    keep(ticket: KitchenTicket): string[] {
      // At the end of the map, so that what was over first is the first to go.
      drop(ticket.id);
      tickets.set(ticket.id, ticket);
      for (const check of checksOf(ticket)) {
        const ids = idsOfCheck.get(check);
        if (ids === undefined) idsOfCheck.set(check, new Set([ticket.id]));
        else ids.add(ticket.id);
      }
      if (!ticket.isOver) return [ticket.id];
      const over = [...tickets.values()].filter(({ isOver }) => isOver);
      const [oldest] = over.length > MOST_OVER ? over : [];
      if (oldest === undefined) return [ticket.id];
      drop(oldest.id);
      return [ticket.id, oldest.id];
    },
    clear(): void {
      tickets.clear();
      idsOfCheck.clear();
    },
  };

  function drop(id: string): void {
    const ticket = tickets.get(id);
    if (ticket === undefined) return;
    tickets.delete(id);
    for (const check of checksOf(ticket)) {
      const ids = idsOfCheck.get(check);
      ids?.delete(id);
      if (ids?.size === 0) idsOfCheck.delete(check);
    }
  }
}
