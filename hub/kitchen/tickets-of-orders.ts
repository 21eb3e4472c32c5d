import type { KitchenTicket } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { freeze } from "../platform/freeze.ts";

/** A ticket, its place among all that were sent, and its JSON. */
export interface StoredTicket {
  id: number;
  ticket: KitchenTicket;
  body: string;
}

/** The tickets of which a check holds or held a share; `unreadable` are the ids of those whose rows are damaged. */
export interface TicketsOfOrder {
  tickets: StoredTicket[];
  unreadable: string[];
}

/** More checks than are open anywhere; above that all are read again when somebody asks. */
const KEPT = 2_000;

/**
 * The tickets of the checks that are worked on, so that no write reads and parses them again. Those of a check are read when
 * they are first asked for and follow what is stored; what a write has stored is forgotten with it if it is undone.
 */
export function createTicketsOfOrders(read: (posReference: string) => TicketsOfOrder) {
  const kept = new Map<string, TicketsOfOrder>();
  /** The kept checks that hold or held shares of a ticket. */
  const holdersOf = new Map<string, Set<string>>();

  function keep(posReference: string, found: TicketsOfOrder): TicketsOfOrder {
    if (kept.size >= KEPT) forgetAll();
    kept.set(posReference, freeze(found));
    for (const { ticket } of found.tickets) {
      const holders = holdersOf.get(ticket.id) ?? new Set();
      holdersOf.set(ticket.id, holders.add(posReference));
    }
    return found;
  }

  function forgetAll(): void {
    kept.clear();
    holdersOf.clear();
  }

  /** Replaces a ticket where it is kept, or adds it to what is kept of a check that gets a share of it now. */
  function follow(changed: StoredTicket, holders: ReadonlySet<string>): void {
    const { id: ticketId } = changed.ticket;
    for (const posReference of holders) {
      const found = kept.get(posReference);
      if (found === undefined) continue;
      const index = found.tickets.findIndex(({ ticket }) => ticket.id === ticketId);
      const tickets =
        index === -1
          ? [...found.tickets, changed].toSorted((one, other) => one.id - other.id)
          : found.tickets.with(index, changed);
      keep(posReference, { ...found, tickets });
    }
  }

  return {
    get(posReference: string): TicketsOfOrder {
      const known = kept.get(posReference);
      if (known !== undefined) return known;
      const found = read(posReference);
      // What cannot be read is mended, and read again.
      return found.unreadable.length > 0 ? found : keep(posReference, found);
    },
    stored(tx: Tx, changed: StoredTicket, holders: ReadonlySet<string>): void {
      follow(changed, new Set([...holders, ...(holdersOf.get(changed.ticket.id) ?? [])]));
      tx.onUndo(forgetAll);
    },
    /** A ticket that is kept with some check; undefined when it has to be read. */
    find(ticketId: string): KitchenTicket | undefined {
      const [posReference] = holdersOf.get(ticketId) ?? [];
      const found = posReference === undefined ? undefined : kept.get(posReference);
      return found?.tickets.find(({ ticket }) => ticket.id === ticketId)?.ticket;
    },
    forgetAll,
  };
}
