import type { CheckAddress, KitchenTicket, TicketLine, TicketShare } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";
import { timeOf } from "../time.ts";
import { activeQuantity, heldOf } from "./shares.ts";

/**
 * A station that does not mark serving lets go of a ticket once it is ready, and it may not be marked at the pass
 * either: what has stood this long counts as taken.
 */
const TAKEN_AFTER_MS = 15 * 60_000;
/** So long after its send dishes of a slip may still be made. */
const ON_PAPER_MS = 60 * 60_000;

/** What one check holds of a ticket line, and where it goes. */
export interface DishPlace {
  address: CheckAddress;
  /** Its check is another one than that whose address the ticket bears. */
  isMoved: boolean;
  /** What of it is not cancelled, and of that what is not prepared, and what is void after it was. */
  quantity: number;
  left: number;
  voided: number;
  isServed: boolean;
}

/** Where a ticket line goes now: one place for each check that holds a part of it that is not cancelled. */
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

/** Where the check is that holds a share. */
export function addressOfShare(
  ticket: KitchenTicket,
  { posReference }: Pick<TicketShare, "posReference">,
): CheckAddress {
  const other = ticket.alsoFor?.find((each) => each.posReference === posReference);
  if (other !== undefined) return other;
  const { orderType, tableId, checkNumber, ticketNumber, customerName, promisedAt } = ticket;
  return { posReference, orderType, tableId, checkNumber, ticketNumber, customerName, promisedAt };
}

/** Whether a share was taken to its guests: with its whole line, or alone. */
export function isShareServed({ state }: Pick<TicketLine, "state">, { isServed }: TicketShare): boolean {
  return state === "served" || isServed === true;
}

/** Whether dishes of a ticket are still to come to their guests: the kitchen has it, or it stands ready at the pass. */
export function isOnItsWay({ isOver, expired, readyAt, onPaper }: KitchenTicket, now: number): boolean {
  if (!isOver) return true;
  if (expired === true || onPaper === true) return false;
  return readyAt === null || Math.abs(now - timeOf(readyAt)) < TAKEN_AFTER_MS;
}

/** Whether somebody may still carry dishes of a ticket to its guests. Paper does not say: for a while they may. */
export function mayStillCome(ticket: KitchenTicket, now: number): boolean {
  return isOnItsWay(ticket, now) || (ticket.onPaper === true && now - timeOf(ticket.sentAt) < ON_PAPER_MS);
}
