import type { CheckAddress, KitchenTicket, Snapshot, TicketLine, TicketShare } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";
import { isSame } from "../same.ts";
import type { ReturnedItem } from "./item-states.ts";
import { addressOf } from "./make-tickets.ts";
import { addressOfShare, mayStillCome } from "./dish-places.ts";
import { lineKey, type Part, partsByLine } from "./shares.ts";
import { settleTicket } from "./ticket-state.ts";

export type KitchenDraft = ReturnType<typeof createKitchenDraft>;

/** A ticket with its place among all that were sent. */
export interface PlacedTicket {
  id: number;
  ticket: KitchenTicket;
}

/**
 * The tickets of some checks, to be changed together: copies, so that what they were is never touched. `ticketsOf` are the
 * tickets of which a check holds or held a share.
 */
export function createKitchenDraft(
  ticketsOf: (posReference: string) => readonly PlacedTicket[],
  posReferences: Iterable<string>,
) {
  const kept = new Map<string, { id: number; ticket: KitchenTicket; before: KitchenTicket | null }>();
  const included = new Set<string>();
  let index: Map<string, Part[]> | null = null;

  /** Adds the tickets of more checks. */
  function include(posReference: string): void {
    if (included.has(posReference)) return;
    included.add(posReference);
    for (const { id, ticket: before } of ticketsOf(posReference)) {
      if (kept.has(before.id)) continue;
      kept.set(before.id, { id, ticket: copyOf(before), before });
      index = null;
    }
  }

  /** Oldest first. */
  function tickets(): KitchenTicket[] {
    return [...kept.values()].toSorted((one, other) => one.id - other.id).map(({ ticket }) => ticket);
  }

  for (const posReference of posReferences) include(posReference);

  return {
    include,
    /** To be changed in place. */
    tickets,
    /** As they were. */
    before: (): KitchenTicket[] => [...kept.values()].flatMap(({ before }) => before ?? []),
    find: (ticketId: string): KitchenTicket | undefined => kept.get(ticketId)?.ticket,
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
    /** Works out what follows from the changes, and answers the tickets that are not as they were. */
    settle(now: string): KitchenTicket[] {
      return [...kept.values()].flatMap(({ ticket, before }) => {
        if (before !== null && isSame(ticket, before)) return [];
        settleTicket(ticket, before, now);
        return before !== null && isSame(ticket, before) ? [] : [ticket];
      });
    },
    /** The checks of which shares were moved, voided, taken back or made. */
    checksMoved(): Set<string> {
      const moved = new Set<string>();
      for (const { ticket, before } of kept.values()) {
        for (const [at, line] of ticket.lines.entries()) {
          const was = before?.lines[at]?.shares ?? [];
          for (const share of [...differing(line.shares, was), ...differing(was, line.shares)])
            moved.add(share.posReference);
        }
      }
      return moved;
    },
    /** What was taken back of products that had not run out. */
    takenBack(): ReturnedItem[] {
      return [...kept.values()].flatMap(({ ticket: { lines, sentAt }, before }) =>
        lines.flatMap((line, at) => {
          const quantity = subtract(takenBackOf(line), takenBackOf(before?.lines[at]));
          if (quantity <= 0 || line.productId === null || line.soldOut === true) return [];
          return { productId: String(line.productId), quantity, sentAt };
        }),
      );
    },
    /** What is still on its way goes where the check goes that holds it now. `snapshotOf` is null for a check that is gone. */
    readdress(now: number, snapshotOf: (posReference: string) => Snapshot | null): void {
      for (const ticket of tickets()) {
        if (!mayStillCome(ticket, now)) continue;
        const held = ticket.lines.flatMap(({ shares }) => shares).filter(({ takenBack }) => takenBack !== true);
        const holders = [...new Set(held.map(({ posReference }) => posReference))];
        const main = holders.includes(ticket.posReference) ? ticket.posReference : holders[0];
        if (main === undefined) continue;
        const addresses = new Map(holders.map((holder) => [holder, addressNow(ticket, holder, snapshotOf(holder))]));
        const { posReference: _, ...address } = addresses.get(main) ?? addressOfShare(ticket, { posReference: main });
        addresses.delete(main);
        const others = [...addresses.values()];
        if (others.length > 0) ticket.alsoFor = others;
        else delete ticket.alsoFor;
        Object.assign(ticket, address);
      }
    },
  };
}

function addressNow(ticket: KitchenTicket, posReference: string, snapshot: Snapshot | null): CheckAddress {
  return snapshot === null ? addressOfShare(ticket, { posReference }) : { posReference, ...addressOf(snapshot) };
}

function copyOf(ticket: KitchenTicket): KitchenTicket {
  const lines = ticket.lines.map((line) => ({ ...line, shares: line.shares.map((share) => ({ ...share })) }));
  return { ...ticket, seen: [...ticket.seen], lines };
}

function takenBackOf(line: Pick<TicketLine, "shares"> = { shares: [] }): number {
  return sum(line.shares.flatMap(({ takenBack, quantity }) => (takenBack === true ? quantity : [])));
}

function differing(shares: readonly TicketShare[], others: readonly TicketShare[]): TicketShare[] {
  return shares.filter((share) => !others.some((other) => isSame(share, other)));
}
