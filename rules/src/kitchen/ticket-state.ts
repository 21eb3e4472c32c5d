import type { KitchenTicket, TicketLine, TicketLineState, TicketShare } from "@comanda/protocol";
import { sum } from "../money/amounts.ts";
import { activeQuantity } from "./shares.ts";

/** Recomputes the derived fields of a ticket. `before` is the stored ticket, null for a new one. */
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
    settleServed(line);
    line.state = stateOf(line);
    if (!isCooked(line)) delete line.readyAt;
    else if (old === undefined || !isCooked(old)) line.readyAt = now;
  }
  const isReady = ticket.lines.every(({ state }) => state === "ready" || state === "served" || state === "cancelled");
  ticket.readyAt = isReady ? (ticket.readyAt ?? now) : null;
  ticket.isOver =
    ticket.expired === true || ticket.onPaper === true || ticket.lines.every((line) => isDone(line, ticket.serving));
}

/** Marks a line as served once all shares that are still wanted are served; each can be served on its own. */
function settleServed(line: TicketLine): void {
  const activeShares = line.shares.filter((share) => share.takenBack !== true && activeQuantity(share) > 0);
  const isAll = activeShares.length > 0 && activeShares.every(isFullyServed);
  line.isServed ||= isAll;
  for (const share of line.shares) if (line.isServed || !isFullyServed(share)) delete share.isServed;
}

function isFullyServed(share: TicketShare): boolean {
  const active = activeQuantity(share);
  return share.isServed === true && active > 0 && share.preparedQuantity >= active;
}

function isCooked({ state }: TicketLine): boolean {
  return state === "ready" || state === "served";
}

const startedStates: ReadonlySet<string | undefined> = new Set(["started", "preparing"]);

function stateOf(line: TicketLine): TicketLineState {
  const active = activeQuantity(line);
  if (active === 0) return "cancelled";
  if (line.preparedQuantity >= active) return line.isServed ? "served" : "ready";
  if (line.preparedQuantity > 0 || startedStates.has(line.kitchenItemStatus)) return "started";
  return line.isSeen ? "seen" : "unseen";
}

/** A line with a cancelled quantity is done only after a station has seen that. */
function isDone(line: TicketLine, serving: boolean): boolean {
  if (line.cancelledQuantity > 0 && !line.isSeen) return false;
  if (line.state === "cancelled" || line.state === "served") return true;
  return line.state === "ready" && !serving;
}
