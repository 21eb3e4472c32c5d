import type { CheckAddress, KitchenTicket, TicketLine, TicketShare } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";
import { timeOf } from "../time.ts";
import { activeQuantity, heldOf } from "./shares.ts";

/**
 * A ticket of a station that does not mark dishes as served leaves the lists once it is ready, and the pass may not mark them
 * either. Dishes that have been ready this long count as taken.
 */
const PICKED_UP_AFTER_MS = 15 * 60_000;
/** How long after the send the dishes of a printed slip may still be in the making. */
const ON_PAPER_MS = 60 * 60_000;

/** The part of a ticket line that one check holds, and where it goes. */
export interface DishPlace {
  address: CheckAddress;
  /** The check is not the one that the ticket is addressed to. */
  isMoved: boolean;
  /** The quantity that is not cancelled; the part of it that is not prepared; the part voided after it was prepared. */
  quantity: number;
  left: number;
  voided: number;
  isServed: boolean;
}

/** Returns where a ticket line goes now: one place per check that holds an uncancelled part of it. */
export function placesOf(ticket: KitchenTicket, line: TicketLine): DishPlace[] {
  const held = line.shares.filter((share) => share.takenBack !== true && activeQuantity(share) > 0);
  return [...Map.groupBy(held, ({ posReference }) => posReference).values()].flatMap((shares): DishPlace[] => {
    const [first] = shares;
    if (first === undefined) return [];
    const quantity = sum(shares.map(activeQuantity));
    return [
      {
        address: addressOfShare(ticket, first),
        isMoved: ticket.alsoFor?.some(({ posReference }) => posReference === first.posReference) === true,
        quantity,
        left: Math.max(0, subtract(quantity, sum(shares.map(({ preparedQuantity }) => preparedQuantity)))),
        voided: subtract(quantity, sum(shares.map(heldOf))),
        isServed: shares.every((share) => isShareServed(line, share)),
      },
    ];
  });
}

/** Returns the address of the check that holds a share. */
export function addressOfShare(
  ticket: KitchenTicket,
  { posReference }: Pick<TicketShare, "posReference">,
): CheckAddress {
  const other = ticket.alsoFor?.find((each) => each.posReference === posReference);
  if (other !== undefined) return other;
  const { orderType, tableId, checkNumber, ticketNumber, customerName, promisedAt, notes } = ticket;
  return { posReference, orderType, tableId, checkNumber, ticketNumber, customerName, promisedAt, notes };
}

/**
 * Returns the dishes still to be made to which another note applies than before, each with the address of its check. A dish
 * that moves to a check without a note keeps what the kitchen has read about it.
 */
export function withOtherNotes(before: KitchenTicket, after: KitchenTicket): { line: TicketLine; to: CheckAddress }[] {
  return after.lines.flatMap((line, at) => {
    const former = before.lines[at];
    const all = former === undefined ? [] : placesOf(before, former);
    return placesOf(after, line).flatMap(({ address: to, left }) => {
      const own = all.filter(({ address }) => address.posReference === to.posReference);
      const origins = own.length > 0 || to.notes === undefined ? own : all;
      const isOther = origins.length > 0 && origins.every(({ address }) => address.notes !== to.notes);
      return isOther && left > 0 ? { line, to } : [];
    });
  });
}

/** Returns whether a share was served, with its whole line or on its own. */
export function isShareServed({ state }: Pick<TicketLine, "state">, { isServed }: TicketShare): boolean {
  return state === "served" || isServed === true;
}

/** Returns whether dishes of a ticket have yet to reach their guests: they are in the kitchen, or ready at the pass. */
export function isOnItsWay({ isOver, expired, readyAt, onPaper }: KitchenTicket, now: number): boolean {
  if (!isOver) return true;
  if (expired === true || onPaper === true) return false;
  return readyAt === null || Math.abs(now - timeOf(readyAt)) < PICKED_UP_AFTER_MS;
}

/** Returns whether dishes of a ticket may still be served. Slips do not report it, so they may for a while. */
export function mayStillCome(ticket: KitchenTicket, now: number): boolean {
  return isOnItsWay(ticket, now) || (ticket.onPaper === true && now - timeOf(ticket.sentAt) < ON_PAPER_MS);
}

/** Returns whether a station may still make dishes of a ticket. Those of one that is over were served, except on paper. */
export function mayBeMade(ticket: KitchenTicket, now: number): boolean {
  return !ticket.isOver || (ticket.onPaper === true && mayStillCome(ticket, now));
}
