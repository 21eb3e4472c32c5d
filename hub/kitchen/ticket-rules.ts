import {
  kitchenFieldNames,
  type KitchenTicket,
  type StoredLine,
  type TicketLine,
  type TicketLineState,
  type TicketShare,
} from "@comanda/protocol";
import { subtract, sum } from "@comanda/rules";
import { cancelledQuantityOf, type LineQuantities } from "./line-quantities.ts";

/** A share with the ticket line and the ticket to which it belongs. */
export interface Part {
  ticket: KitchenTicket;
  line: TicketLine;
  share: TicketShare;
}

/** The status of a line of which everything is cancelled. */
export const VOIDED = "voided";

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

/** A line with the kitchen fields that follow from its shares, oldest first; whatever it says of those is ignored. */
export function withKitchenFields(line: StoredLine, parts: readonly Part[], kitchenLineId?: string): StoredLine {
  const next: StoredLine = { ...line };
  for (const field of kitchenFieldNames) delete next[field];
  const newest = parts.at(-1);
  const dish = newest?.line.kitchenLineId ?? kitchenLineId;
  if (dish !== undefined) next.kitchenLineId = dish;
  if (newest === undefined) return next;
  const { ticket } = newest;
  return {
    ...next,
    kitchenSentAt: ticket.sentAt,
    sentQuantity: sum(parts.map(({ share }) => share.quantity)),
    preparedQuantity: sum(parts.map(({ share }) => share.preparedQuantity)),
    kitchenTicketId: ticket.id,
    kitchenItemStatus: itemStatusOf(parts, newest),
    ...(ticket.queuedAt !== undefined && { queuedAt: ticket.queuedAt }),
    ...(parts.some((part) => part.line.soldOut === true) && { soldOut: true }),
  };
}

function itemStatusOf(parts: readonly Part[], newest: Part): string {
  const active = sum(parts.map(({ share }) => activeQuantity(share)));
  const prepared = sum(parts.map(({ share }) => share.preparedQuantity));
  if (active === 0) return VOIDED;
  if (parts.every(({ line }) => line.state === "served" || activeQuantity(line) === 0)) return "served";
  if (newest.line.kitchenItemStatus !== undefined) return newest.line.kitchenItemStatus;
  if (prepared >= active) return "ready";
  return prepared > 0 ? "preparing" : "pending";
}

/** What is neither cancelled nor taken back of a share or a ticket line. */
export function activeQuantity({ quantity, cancelledQuantity }: Pick<TicketShare, "quantity" | "cancelledQuantity">) {
  return subtract(quantity, cancelledQuantity);
}

/** Cancels what a line no longer asks for, newest share first; null for the line of a discarded check. */
export function settleCancelled(parts: readonly Pick<Part, "share">[], line: LineQuantities | null): void {
  const sentQuantity = sum(parts.map(({ share }) => share.quantity));
  const preparedQuantity = sum(parts.map(({ share }) => share.preparedQuantity));
  const asked = line ?? { quantity: 0 };
  let left = cancelledQuantityOf({ ...asked, sentQuantity, preparedQuantity });
  for (const { share } of parts.toReversed()) {
    share.cancelledQuantity = Math.min(left, subtract(share.quantity, share.preparedQuantity));
    left = subtract(left, share.cancelledQuantity);
  }
}

/**
 * Sets how much of these shares is prepared, oldest first, and what is cancelled last: a dish that was ready after all.
 * The caller settles what remains cancelled.
 */
export function setPrepared(shares: readonly TicketShare[], quantity: number): void {
  let left = quantity;
  for (const share of shares) {
    share.preparedQuantity = Math.min(left, activeQuantity(share));
    left = subtract(left, share.preparedQuantity);
  }
  for (const share of shares) {
    const more = Math.min(left, subtract(share.quantity, share.preparedQuantity));
    share.preparedQuantity = sum([share.preparedQuantity, more]);
    left = subtract(left, more);
  }
}

/** Works out what follows from a ticket's shares; `before` is the ticket as it is stored, null for a new one. */
export function settleTicket(ticket: KitchenTicket, before: KitchenTicket | null, now: string): void {
  for (const line of ticket.lines) {
    line.quantity = sum(line.shares.map((share) => share.quantity));
    line.preparedQuantity = sum(line.shares.map((share) => share.preparedQuantity));
    line.cancelledQuantity = sum(line.shares.map((share) => share.cancelledQuantity));
    const old = before?.lines.find(({ lineId }) => lineId === line.lineId);
    if (old !== undefined && old.cancelledQuantity !== line.cancelledQuantity) line.isSeen = false;
    const isWorkAgain =
      old !== undefined &&
      (activeQuantity(line) > activeQuantity(old) || line.preparedQuantity < old.preparedQuantity) &&
      line.preparedQuantity < activeQuantity(line);
    if (isWorkAgain) {
      line.isServed = false;
      delete ticket.expired;
    }
    line.state = stateOf(line);
    if (!isCooked(line)) delete line.readyAt;
    else if (old === undefined || !isCooked(old)) line.readyAt = now;
  }
  const isReady = ticket.lines.every(({ state }) => state === "ready" || state === "served" || state === "cancelled");
  ticket.readyAt = isReady ? (ticket.readyAt ?? now) : null;
  ticket.isOver = ticket.expired === true || ticket.lines.every((line) => isDone(line, ticket.serving));
}

function isCooked({ state }: TicketLine): boolean {
  return state === "ready" || state === "served";
}

const startedWords: ReadonlySet<string | undefined> = new Set(["started", "preparing"]);

function stateOf(line: TicketLine): TicketLineState {
  const active = activeQuantity(line);
  if (active === 0) return "cancelled";
  if (line.preparedQuantity >= active) return line.isServed ? "served" : "ready";
  if (line.preparedQuantity > 0 || startedWords.has(line.kitchenItemStatus)) return "started";
  return line.isSeen ? "seen" : "unseen";
}

/** A station must have seen what was cancelled. */
function isDone(line: TicketLine, serving: boolean): boolean {
  if (line.cancelledQuantity > 0 && !line.isSeen) return false;
  if (line.state === "cancelled" || line.state === "served") return true;
  return line.state === "ready" && !serving;
}
