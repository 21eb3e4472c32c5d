import type { KitchenTicket } from "@comanda/protocol";
import { checksOf } from "@comanda/rules";
import { createRecordStore } from "./record-store.ts";

/** Limit of finished tickets kept for a recall; beyond it the oldest are dropped. */
const MAX_FINISHED = 100;

/** The kitchen's tickets, and which of them each check holds shares of. */
export function createTicketStore() {
  const tickets = createRecordStore(({ id }: KitchenTicket) => id);
  /** Ids of the tickets of which a check holds shares, or did. */
  const idsOfCheck = new Map<string, Set<string>>();

  return {
    get: tickets.get,
    /** Includes finished tickets, as far as they are kept. */
    all: tickets.all,
    takeChanged: tickets.takeChanged,
    /** Checks that hold shares of a ticket, or did. */
    listHolders(id: string): ReadonlySet<string> {
      const ticket = tickets.get(id);
      return ticket === undefined ? new Set() : checksOf(ticket);
    },
    /** Tickets of which a check holds shares, or did. */
    listByCheck: (posReference: string): KitchenTicket[] =>
      [...(idsOfCheck.get(posReference) ?? [])].flatMap((id) => tickets.get(id) ?? []),
    keep(ticket: KitchenTicket): void {
      // Moved to the end, so that tickets that finished first are dropped first.
      drop(ticket.id);
      tickets.keep(ticket);
      for (const check of checksOf(ticket)) {
        const ids = idsOfCheck.get(check);
        if (ids === undefined) idsOfCheck.set(check, new Set([ticket.id]));
        else ids.add(ticket.id);
      }
      if (!ticket.isOver) return;
      const over = [...tickets.all()].filter(({ isOver }) => isOver);
      const [oldest] = over.length > MAX_FINISHED ? over : [];
      if (oldest !== undefined) drop(oldest.id);
    },
    clear(): void {
      tickets.clear();
      idsOfCheck.clear();
    },
  };

  function drop(id: string): void {
    const ticket = tickets.get(id);
    if (ticket === undefined) return;
    tickets.drop(id);
    for (const check of checksOf(ticket)) {
      const ids = idsOfCheck.get(check);
      ids?.delete(id);
      if (ids?.size === 0) idsOfCheck.delete(check);
    }
  }
}
