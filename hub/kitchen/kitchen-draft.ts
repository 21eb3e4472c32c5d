import type { KitchenTicket } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { isoTime } from "../platform/world.ts";
import { lineKey, partsByLine, settleTicket, type Part } from "./ticket-rules.ts";
import type { TicketStore } from "./ticket-store.ts";
import type { StoredTicket } from "./tickets-of-orders.ts";

export type KitchenDraft = ReturnType<typeof createKitchenDraft>;

/**
 * The tickets of some checks, to be changed together and stored at the end. `mend` is called with those that cannot be read
 * before the tickets of a check are read once more.
 */
export function createKitchenDraft(
  store: TicketStore,
  posReferences: Iterable<string>,
  mend: (ticketIds: readonly string[]) => void = () => {},
) {
  const kept = new Map<string, { id: number; ticket: KitchenTicket; before: StoredTicket | null }>();
  const included = new Set<string>();
  let index: Map<string, Part[]> | null = null;

  /** Adds the tickets of more checks. */
  function include(posReference: string): void {
    if (included.has(posReference)) return;
    included.add(posReference);
    index = null;
    let found = store.ofOrder(posReference);
    if (found.unreadable.length > 0) {
      mend(found.unreadable);
      found = store.ofOrder(posReference);
    }
    for (const before of found.tickets) {
      const { id, ticket } = before;
      if (!kept.has(ticket.id)) kept.set(ticket.id, { id, ticket: structuredClone(ticket), before });
    }
  }

  function tickets(): KitchenTicket[] {
    return [...kept.values()].toSorted((one, other) => one.id - other.id).map(({ ticket }) => ticket);
  }

  for (const posReference of posReferences) include(posReference);

  return {
    include,
    /** Oldest first; to be changed in place. */
    tickets,
    /** As they are stored. */
    before: (): KitchenTicket[] => [...kept.values()].flatMap(({ before }) => before?.ticket ?? []),
    add(ticket: KitchenTicket): void {
      kept.set(ticket.id, { id: Number.MAX_VALUE, ticket, before: null });
      index = null;
    },
    /** The shares of a line of an included check, oldest first; to be read again after shares were moved. */
    parts(posReference: string, lineId: string): Part[] {
      index ??= partsByLine(tickets());
      return index.get(lineKey({ posReference, lineId })) ?? [];
    },
    /** The shares of an included check, by line. */
    linesOf(posReference: string): Part[][] {
      index ??= partsByLine(tickets());
      return [...index.values()].filter(([part]) => part?.share.posReference === posReference);
    },
    /** Shares were added or removed. */
    sharesMoved: (): void => void (index = null),
    /** Works out what follows from the changes and returns the tickets that are not as they are stored. */
    settle(tx: Tx): KitchenTicket[] {
      return [...kept.values()].flatMap(({ ticket, before }) => {
        if (before !== null && JSON.stringify(ticket) === before.body) return [];
        settleTicket(ticket, before?.ticket ?? null, isoTime(tx.now));
        return JSON.stringify(ticket) === before?.body ? [] : [ticket];
      });
    },
  };
}
