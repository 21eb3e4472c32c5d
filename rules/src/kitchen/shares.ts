import type { KitchenTicket, TicketLine, TicketShare } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";

/** A share with the ticket line and the ticket to which it belongs. */
export interface Part {
  ticket: KitchenTicket;
  line: TicketLine;
  share: TicketShare;
}

/** Returns a unique key for a line of a check. */
export function lineKey({ posReference, lineId }: Pick<TicketShare, "posReference" | "lineId">): string {
  return `${posReference}\n${lineId}`;
}

/** Groups the shares by check line, in the order of `tickets`; shares taken back are left out. */
export function partsByLine(tickets: readonly KitchenTicket[]): Map<string, Part[]> {
  return Map.groupBy(partsOf(tickets), ({ share }) => lineKey(share));
}

export function partsOf(tickets: readonly KitchenTicket[]): Part[] {
  return tickets.flatMap((ticket) =>
    ticket.lines.flatMap((line) =>
      line.shares.filter((share) => share.takenBack !== true).map((share) => ({ ticket, line, share })),
    ),
  );
}

/** Returns the quantity of a share or ticket line that is not cancelled. */
export function activeQuantity({ quantity, cancelledQuantity }: Pick<TicketShare, "quantity" | "cancelledQuantity">) {
  return subtract(quantity, cancelledQuantity);
}

/** Returns the quantity of a share or ticket line that is still to be made. */
export function remainingQuantity(
  part: Pick<TicketShare, "quantity" | "cancelledQuantity" | "preparedQuantity">,
): number {
  return Math.max(0, subtract(activeQuantity(part), part.preparedQuantity));
}

/** Returns how much of a share is void: what is cancelled, and what was prepared before it was voided. */
export function voidOf({ voidedQuantity, cancelledQuantity }: TicketShare): number {
  return voidedQuantity ?? cancelledQuantity;
}

/** Returns how much of a share is not void. */
export function heldOf(share: TicketShare): number {
  return subtract(share.quantity, voidOf(share));
}

/** Sets how much of a share is void. The part of it that is not prepared becomes cancelled. */
export function setVoid(share: TicketShare, quantity: number): void {
  share.cancelledQuantity = Math.min(quantity, subtract(share.quantity, share.preparedQuantity));
  if (quantity === share.cancelledQuantity) delete share.voidedQuantity;
  else share.voidedQuantity = quantity;
}

/** Returns a line's share of a ticket line. If it has none, adds one that is empty. */
export function shareOn(
  line: TicketLine,
  key: Pick<TicketShare, "posReference" | "lineId" | "takenBack">,
): TicketShare {
  const existing = line.shares.find(
    (share) =>
      share.posReference === key.posReference && share.lineId === key.lineId && share.takenBack === key.takenBack,
  );
  if (existing !== undefined) return existing;
  const share: TicketShare = { ...key, quantity: 0, preparedQuantity: 0, cancelledQuantity: 0 };
  line.shares.push(share);
  return share;
}

/** Returns the total quantity of shares, including void. */
export function totalOf(parts: readonly Pick<Part, "share">[]): number {
  return sum(parts.map(({ share }) => share.quantity));
}

export function voidTotalOf(parts: readonly Pick<Part, "share">[]): number {
  return sum(parts.map(({ share }) => voidOf(share)));
}

/** Voids a quantity of what shares hold: unprepared parts first, and the newest shares first. */
export function voidHeld(parts: readonly Pick<Part, "share">[], quantity: number): void {
  let remaining = quantity;
  const rawOf = (share: TicketShare) =>
    subtract(subtract(share.quantity, share.preparedQuantity), share.cancelledQuantity);
  for (const limitOf of [rawOf, heldOf]) {
    for (const { share } of parts.toReversed()) {
      const more = Math.min(remaining, limitOf(share));
      if (more <= 0) continue;
      setVoid(share, sum([voidOf(share), more]));
      remaining = subtract(remaining, more);
    }
  }
}

/** Undoes a void quantity: prepared parts first, and the oldest shares first. */
export function unvoid(parts: readonly Pick<Part, "share">[], quantity: number): void {
  let remaining = quantity;
  const preparedOf = (share: TicketShare) => subtract(voidOf(share), share.cancelledQuantity);
  for (const limitOf of [preparedOf, voidOf]) {
    for (const { share } of parts) {
      const less = Math.min(remaining, limitOf(share));
      if (less <= 0) continue;
      setVoid(share, subtract(voidOf(share), less));
      remaining = subtract(remaining, less);
    }
  }
}

/** Sets how much of a line's shares is void in total. */
export function setVoidTotal(parts: readonly Pick<Part, "share">[], quantity: number): void {
  const more = subtract(Math.min(quantity, totalOf(parts)), voidTotalOf(parts));
  if (more > 0) voidHeld(parts, more);
  else unvoid(parts, -more);
}

/**
 * Sets the prepared quantity of shares, oldest first. Cancelled parts count last, as dishes that were made all the same. Such a
 * dish replaces one that its line still needs; `ofLine` returns all shares of that line.
 */
export function setPrepared(
  shares: readonly TicketShare[],
  quantity: number,
  linePartsOf: (share: TicketShare) => readonly Pick<Part, "share">[],
): void {
  let remaining = quantity;
  const voided = shares.map(voidOf);
  for (const share of shares) {
    share.preparedQuantity = Math.min(remaining, activeQuantity(share));
    remaining = subtract(remaining, share.preparedQuantity);
  }
  for (const [index, share] of shares.entries()) {
    const more = Math.min(remaining, subtract(share.quantity, share.preparedQuantity));
    share.preparedQuantity = sum([share.preparedQuantity, more]);
    remaining = subtract(remaining, more);
    setVoid(share, voided[index] ?? 0);
    if (more > 0 && share.takenBack !== true) swapMade(share, more, linePartsOf(share));
  }
}

/** Uses a dish that was made although cancelled: voids an unprepared part of the line in exchange. */
function swapMade(made: TicketShare, quantity: number, parts: readonly Pick<Part, "share">[]): void {
  for (const { share } of parts.toReversed()) {
    const raw = subtract(subtract(share.quantity, share.preparedQuantity), share.cancelledQuantity);
    const swapped = Math.min(quantity, raw, subtract(voidOf(made), made.cancelledQuantity));
    if (share === made || swapped <= 0) continue;
    setVoid(share, sum([voidOf(share), swapped]));
    setVoid(made, subtract(voidOf(made), swapped));
  }
}

/** Returns the checks that hold or held shares of a ticket, and the check it was sent from. */
export function checksOf({ posReference, lines }: KitchenTicket): Set<string> {
  return new Set([posReference, ...lines.flatMap(({ shares }) => shares.map((share) => share.posReference))]);
}
