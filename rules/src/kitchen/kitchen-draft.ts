import type { CheckAddress, KitchenTicket, Snapshot, TicketLine, TicketShare } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";
import { isSame } from "../same.ts";
import { isoTime } from "../time.ts";
import type { ReturnedItem } from "./item-states.ts";
import { addressOf } from "./make-tickets.ts";
import { addressOfShare, mayStillCome, withOtherNotes } from "./dish-places.ts";
import { rewordTickets, type WrittenLines } from "./reword-tickets.ts";
import { lineKey, type Part, partsByLine } from "./shares.ts";
import { settleTicket } from "./ticket-state.ts";

export type KitchenDraft = ReturnType<typeof createKitchenDraft>;

/** A ticket with its position among all sent tickets. */
export interface PlacedTicket {
  id: number;
  ticket: KitchenTicket;
}

/**
 * Creates a draft of the tickets of some checks, to change them together. It works on copies, so the stored tickets never
 * change. `ticketsOf` returns the tickets of which a check holds or held a share.
 */
export function createKitchenDraft(
  ticketsOf: (posReference: string) => readonly PlacedTicket[],
  posReferences: Iterable<string>,
) {
  const entries = new Map<string, { id: number; ticket: KitchenTicket; before: KitchenTicket | null }>();
  const included = new Set<string>();
  let index: Map<string, Part[]> | null = null;

  /** Adds the tickets of another check. */
  function include(posReference: string): void {
    if (included.has(posReference)) return;
    included.add(posReference);
    for (const { id, ticket: before } of ticketsOf(posReference)) {
      if (entries.has(before.id)) continue;
      entries.set(before.id, { id, ticket: copyOf(before), before });
      index = null;
    }
  }

  /** Returns the tickets, oldest first. */
  function tickets(): KitchenTicket[] {
    return [...entries.values()].toSorted((one, other) => one.id - other.id).map(({ ticket }) => ticket);
  }

  for (const posReference of posReferences) include(posReference);

  /** Recomputes derived fields, and returns the tickets that have changed. */
  function settle(now: string): KitchenTicket[] {
    return [...entries.values()].flatMap(({ ticket, before }) => {
      if (before !== null && isSame(ticket, before)) return [];
      settleTicket(ticket, before, now);
      return before !== null && isSame(ticket, before) ? [] : [ticket];
    });
  }

  return {
    include,
    /** Mutable copies. */
    tickets,
    /** The tickets before any change. */
    before: (): KitchenTicket[] => [...entries.values()].flatMap(({ before }) => before ?? []),
    find: (ticketId: string): KitchenTicket | undefined => entries.get(ticketId)?.ticket,
    add(ticket: KitchenTicket): void {
      entries.set(ticket.id, { id: Number.MAX_VALUE, ticket, before: null });
      index = null;
    },
    /** Returns the shares of a line of an included check, oldest first. To be read again after `sharesMoved`. */
    parts(posReference: string, lineId: string): Part[] {
      index ??= partsByLine(tickets());
      return index.get(lineKey({ posReference, lineId })) ?? [];
    },
    /** Returns the shares of an included check, grouped by line. */
    linesOf(posReference: string): Part[][] {
      index ??= partsByLine(tickets());
      return [...index.values()].filter(([part]) => part?.share.posReference === posReference);
    },
    /** Must be called after shares were added or removed. */
    sharesMoved: (): void => void (index = null),
    settle,
    /** Puts the words of written lines on the tickets, which must have been settled. */
    reword(checks: readonly WrittenLines[], now: number): void {
      rewordTickets(tickets(), checks, now);
      index = null;
      settle(isoTime(now));
    },
    /** Returns the checks whose shares were moved, voided, taken back or created. */
    checksMoved(): Set<string> {
      const moved = new Set<string>();
      for (const { ticket, before } of entries.values()) {
        for (const [at, line] of ticket.lines.entries()) {
          const was = before?.lines[at]?.shares ?? [];
          for (const share of [...differing(line.shares, was), ...differing(was, line.shares)])
            moved.add(share.posReference);
        }
      }
      return moved;
    },
    /** Returns the quantities taken back, except of products that had run out. */
    takenBack(): ReturnedItem[] {
      return [...entries.values()].flatMap(({ ticket: { lines, sentAt }, before }) =>
        lines.flatMap((line, at) => {
          const quantity = subtract(takenBackOf(line), takenBackOf(before?.lines[at]));
          if (quantity <= 0 || line.productId === null || line.soldOut === true) return [];
          return { productId: String(line.productId), quantity, sentAt };
        }),
      );
    },
    /**
     * Readdresses tickets under way to the checks that hold them now. Dishes with another note have to be seen again.
     * `snapshotOf` is null for a removed check.
     */
    readdress(now: number, snapshotOf: (posReference: string) => Snapshot | null): void {
      for (const { ticket, before } of entries.values()) {
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
        for (const { line } of before === null ? [] : withOtherNotes(before, ticket)) line.isSeen = false;
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
