import type { KitchenTicket, TicketLine, TicketShare } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";

/** A share with the ticket line and the ticket to which it belongs. */
export interface Part {
  ticket: KitchenTicket;
  line: TicketLine;
  share: TicketShare;
}

/** Names a line of a check. */
export function lineKey({ posReference, lineId }: Pick<TicketShare, "posReference" | "lineId">): string {
  return `${posReference}\n${lineId}`;
}

/** The shares that lines of checks hold, by line; of each line in the order of `tickets`. */
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

/** What is neither cancelled nor taken back of a share or a ticket line. */
export function activeQuantity({ quantity, cancelledQuantity }: Pick<TicketShare, "quantity" | "cancelledQuantity">) {
  return subtract(quantity, cancelledQuantity);
}

/** How much of a share is void: what is cancelled of it, and what was prepared before. */
export function voidOf({ voidedQuantity, cancelledQuantity }: TicketShare): number {
  return voidedQuantity ?? cancelledQuantity;
}

/** How much of a share its line asks for. */
export function heldOf(share: TicketShare): number {
  return subtract(share.quantity, voidOf(share));
}

/** Sets how much of a share is void; what of that is not prepared is cancelled. */
export function setVoid(share: TicketShare, quantity: number): void {
  share.cancelledQuantity = Math.min(quantity, subtract(share.quantity, share.preparedQuantity));
  if (quantity === share.cancelledQuantity) delete share.voidedQuantity;
  else share.voidedQuantity = quantity;
}

/** What lines of a check hold of their shares, void and all. */
export function totalOf(parts: readonly Pick<Part, "share">[]): number {
  return sum(parts.map(({ share }) => share.quantity));
}

export function voidTotalOf(parts: readonly Pick<Part, "share">[]): number {
  return sum(parts.map(({ share }) => voidOf(share)));
}

/** Voids so much of what a line holds, the newest first and what is not prepared first. */
export function voidHeld(parts: readonly Pick<Part, "share">[], quantity: number): void {
  let left = quantity;
  const rawOf = (share: TicketShare) =>
    subtract(subtract(share.quantity, share.preparedQuantity), share.cancelledQuantity);
  for (const limitOf of [rawOf, heldOf]) {
    for (const { share } of parts.toReversed()) {
      const more = Math.min(left, limitOf(share));
      if (more <= 0) continue;
      setVoid(share, sum([voidOf(share), more]));
      left = subtract(left, more);
    }
  }
}

/** Undoes the void of so much of a line: what was prepared comes back first, then what was sent first. */
export function unvoid(parts: readonly Pick<Part, "share">[], quantity: number): void {
  let left = quantity;
  const preparedOf = (share: TicketShare) => subtract(voidOf(share), share.cancelledQuantity);
  for (const limitOf of [preparedOf, voidOf]) {
    for (const { share } of parts) {
      const less = Math.min(left, limitOf(share));
      if (less <= 0) continue;
      setVoid(share, subtract(voidOf(share), less));
      left = subtract(left, less);
    }
  }
}

/** Sets how much of a line's shares is void. */
export function setVoidTotal(parts: readonly Pick<Part, "share">[], quantity: number): void {
  const more = subtract(Math.min(quantity, totalOf(parts)), voidTotalOf(parts));
  if (more > 0) voidHeld(parts, more);
  else unvoid(parts, -more);
}

/**
 * Sets how much of these shares is prepared, oldest first, and what is cancelled last: a dish that was ready after all.
 * `ofLine` are all shares of a share's line: where one of them is still to be cooked, the dish that was ready takes its place.
 */
export function setPrepared(
  shares: readonly TicketShare[],
  quantity: number,
  ofLine: (share: TicketShare) => readonly Pick<Part, "share">[],
): void {
  let left = quantity;
  const voided = shares.map(voidOf);
  for (const share of shares) {
    share.preparedQuantity = Math.min(left, activeQuantity(share));
    left = subtract(left, share.preparedQuantity);
  }
  for (const [index, share] of shares.entries()) {
    const more = Math.min(left, subtract(share.quantity, share.preparedQuantity));
    share.preparedQuantity = sum([share.preparedQuantity, more]);
    left = subtract(left, more);
    setVoid(share, voided[index] ?? 0);
    if (more > 0 && share.takenBack !== true) swapMade(share, more, ofLine(share));
  }
}

/** So much of a share was made although it was cancelled: the line needs that much less of what is still to be cooked. */
function swapMade(made: TicketShare, quantity: number, parts: readonly Pick<Part, "share">[]): void {
  for (const { share } of parts.toReversed()) {
    const raw = subtract(subtract(share.quantity, share.preparedQuantity), share.cancelledQuantity);
    const swapped = Math.min(quantity, raw, subtract(voidOf(made), made.cancelledQuantity));
    if (share === made || swapped <= 0) continue;
    setVoid(share, sum([voidOf(share), swapped]));
    setVoid(made, subtract(voidOf(made), swapped));
  }
}

/** The checks that hold shares of a ticket, or held some, and the one that it was sent for. */
export function checksOf({ posReference, lines }: KitchenTicket): Set<string> {
  return new Set([posReference, ...lines.flatMap(({ shares }) => shares.map((share) => share.posReference))]);
}
