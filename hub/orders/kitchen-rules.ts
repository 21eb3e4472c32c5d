import type { OrderTicket, Snapshot, StoredLine } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import { missingQuantity, VOIDED } from "./line-rules.ts";

export interface Send {
  ticketId: string;
  sentAt: string;
  sentBy: string;
  /** Only these lines, or all. */
  lineIds: readonly string[] | undefined;
  /** Set when the send waited too long in an outbox. */
  lateSince: string | undefined;
  /** Ids of lines that are sold although their product has run out. */
  soldOut?: ReadonlySet<string>;
}

/**
 * Works out what the kitchen does not have yet and answers the order with it sent, or null when it has everything.
 * A line voided after it was sent goes to the kitchen once more, as a negative quantity.
 */
export function sendToKitchen(snapshot: Snapshot, send: Send): Snapshot | null {
  const wanted = send.lineIds === undefined ? null : new Set(send.lineIds);
  for (const id of wanted ?? []) {
    if (!snapshot.lines.some((line) => line.id === id)) throw new HubError("NOT_FOUND", `the order has no line ${id}`);
  }
  const ticketLines: OrderTicket["lines"] = [];
  const lines = snapshot.lines.map((line) => {
    if (wanted !== null && !wanted.has(line.id)) return line;
    const missing = missingQuantity(line);
    if (missing === 0) return line;
    const isSoldOut = send.soldOut?.has(line.id) === true;
    ticketLines.push({
      lineId: line.id,
      quantity: missing,
      ...(line.voided === true && { voided: true }),
      ...(isSoldOut && { soldOut: true }),
    });
    return line.voided === true ? { ...line, kitchenItemStatus: VOIDED } : sentLine(line, send);
  });
  if (ticketLines.length === 0) return null;
  const ticket: OrderTicket = {
    id: send.ticketId,
    sentAt: send.sentAt,
    sentBy: send.sentBy,
    lines: ticketLines,
    seen: [],
    ...(send.lateSince !== undefined && { late: true, queuedAt: send.lateSince }),
  };
  return { ...snapshot, status: "sent", lines, kitchenTickets: [...(snapshot.kitchenTickets ?? []), ticket] };
}

function sentLine(line: StoredLine, send: Send): StoredLine {
  const { queuedAt: _, ...rest } = line;
  return {
    ...rest,
    kitchenSentAt: send.sentAt,
    sentQuantity: line.quantity,
    preparedQuantity: line.preparedQuantity ?? 0,
    kitchenTicketId: send.ticketId,
    kitchenItemStatus: "pending",
    ...(send.lateSince !== undefined && { queuedAt: send.lateSince }),
    ...(send.soldOut?.has(line.id) === true && { soldOut: true as const }),
  };
}

/** Each is stored with the order for good. */
const MAX_STATIONS = 50;

/** Notes that a station has shown the ticket; null when that was noted before. */
export function seeTicket(snapshot: Snapshot, ticketId: string, stationId: string, at: string): Snapshot | null {
  const tickets = snapshot.kitchenTickets ?? [];
  const ticket = tickets.find((candidate) => candidate.id === ticketId);
  if (ticket === undefined) throw new HubError("NOT_FOUND", `there is no kitchen ticket ${ticketId}`);
  if (ticket.seen.some((seen) => seen.stationId === stationId)) return null;
  if (ticket.seen.length >= MAX_STATIONS) {
    throw new HubError("LIMIT_REACHED", `${MAX_STATIONS} stations have shown this ticket: no kitchen has more`);
  }
  const seen = { ...ticket, seen: [...ticket.seen, { stationId, at }] };
  return { ...snapshot, kitchenTickets: tickets.map((each) => (each === ticket ? seen : each)) };
}

/** Sets how much of a line is prepared; absolute, so a lower quantity is a recall. Null when nothing changes. */
export function bumpLine(
  snapshot: Snapshot,
  lineId: string,
  preparedQuantity: number,
  status: string | undefined,
): Snapshot | null {
  const line = snapshot.lines.find((candidate) => candidate.id === lineId);
  if (line === undefined) throw new HubError("NOT_FOUND", `the order has no line ${lineId}`);
  const sent = line.sentQuantity ?? 0;
  if (line.kitchenSentAt === undefined)
    throw new HubError("VALIDATION_ERROR", `line ${lineId} was never sent to the kitchen`);
  if (preparedQuantity > sent) {
    throw new HubError(
      "VALIDATION_ERROR",
      `preparedQuantity ${preparedQuantity} is above the ${sent} sent of line ${lineId}`,
    );
  }
  const kitchenItemStatus = status ?? progressOf(preparedQuantity, sent);
  if (line.preparedQuantity === preparedQuantity && line.kitchenItemStatus === kitchenItemStatus) return null;
  const bumped = { ...line, preparedQuantity, kitchenItemStatus };
  return { ...snapshot, lines: snapshot.lines.map((each) => (each === line ? bumped : each)) };
}

function progressOf(prepared: number, sent: number): string {
  if (prepared >= sent) return "ready";
  return prepared > 0 ? "preparing" : "pending";
}
