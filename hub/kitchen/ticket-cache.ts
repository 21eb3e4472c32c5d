import type { KitchenTicket } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { freeze } from "../platform/freeze.ts";

/** A ticket, its row id in sending order, and its JSON. */
export interface StoredTicket {
  id: number;
  ticket: KitchenTicket;
  body: string;
}

/** The tickets of which a check holds or held a share. `unreadable`: ids of tickets with damaged rows. */
export interface TicketsOfOrder {
  tickets: StoredTicket[];
  unreadable: string[];
}

/** More checks than are open anywhere. The cache also holds checks that were closed meanwhile, and is cleared above this. */
const MAX_ENTRIES = 2_000;

/**
 * Caches the tickets of checks that were written or listed, so that writes need not read and parse them again. A check's
 * tickets are read on first use and updated with each store. A rollback clears the cache.
 */
export function createTicketCache(read: (posReference: string) => TicketsOfOrder) {
  const cache = new Map<string, TicketsOfOrder>();
  /** The cached checks that hold or held shares of a ticket. */
  const holdersOf = new Map<string, Set<string>>();

  function keep(posReference: string, found: TicketsOfOrder): TicketsOfOrder {
    if (cache.size >= MAX_ENTRIES) forgetAll();
    cache.set(posReference, freeze(found));
    for (const { ticket } of found.tickets) {
      const holders = holdersOf.get(ticket.id) ?? new Set();
      holdersOf.set(ticket.id, holders.add(posReference));
    }
    return found;
  }

  function forgetAll(): void {
    cache.clear();
    holdersOf.clear();
  }

  /** Replaces a ticket where it is cached, or adds it to a cached check that now holds a share. */
  function follow(changed: StoredTicket, holders: ReadonlySet<string>): void {
    const { id: ticketId } = changed.ticket;
    for (const posReference of holders) {
      const found = cache.get(posReference);
      if (found === undefined) continue;
      const index = found.tickets.findIndex(({ ticket }) => ticket.id === ticketId);
      const tickets =
        index === -1 ? [...found.tickets, changed].toSorted((a, b) => a.id - b.id) : found.tickets.with(index, changed);
      keep(posReference, { ...found, tickets });
    }
  }

  return {
    get(posReference: string): TicketsOfOrder {
      const cached = cache.get(posReference);
      if (cached !== undefined) return cached;
      const found = read(posReference);
      // Unreadable tickets are repaired, then read again.
      return found.unreadable.length > 0 ? found : keep(posReference, found);
    },
    stored(tx: Tx, changed: StoredTicket, holders: ReadonlySet<string>): void {
      follow(changed, new Set([...holders, ...(holdersOf.get(changed.ticket.id) ?? [])]));
      tx.onUndo(forgetAll);
    },
    /** Returns a ticket cached with any check, or undefined if it must be read. */
    find(ticketId: string): KitchenTicket | undefined {
      const [posReference] = holdersOf.get(ticketId) ?? [];
      const found = posReference === undefined ? undefined : cache.get(posReference);
      return found?.tickets.find(({ ticket }) => ticket.id === ticketId)?.ticket;
    },
    forgetAll,
  };
}
