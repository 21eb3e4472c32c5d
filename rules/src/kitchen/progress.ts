import {
  type KitchenTicket,
  type Snapshot,
  type StoredLine,
  type TerminalMessageOf,
  type TicketLine,
  type TicketShare,
} from "@comanda/protocol";
import { isLocked } from "@comanda/protocol/order-status.ts";
import { sum } from "../money/amounts.ts";
import type { RuleContext } from "../context.ts";
import type { ServiceState } from "../state.ts";
import { isoTime } from "../time.ts";
import { refusalOfLease } from "../checks/guards.ts";
import type { Refused } from "../outcome.ts";
import { takeItems, type TakenItems } from "./item-states.ts";
import { type KitchenChanges, kitchenChanges } from "./kitchen-changes.ts";
import { createKitchenDraft, type KitchenDraft } from "./kitchen-draft.ts";
import { missingQuantity } from "./line-quantities.ts";
import { makeTickets, type LineToSend } from "./make-tickets.ts";
import { placesOf } from "./dish-places.ts";
import { activeQuantity, setPrepared } from "./shares.ts";
import { ONLY_STATION } from "./stations.ts";

/** What becomes of the kitchen's work; `posReference` is the check that it is about. */
export interface KitchenProgress extends KitchenChanges {
  posReference: string;
}

/** What a send comes to: the tickets that it made, and what is left of what was sent. */
export interface Sent extends KitchenChanges {
  ticketIds: string[];
  itemStates: TakenItems["itemStates"];
}

type Request<T extends "ORDER_SEND" | "KITCHEN_SEEN" | "KITCHEN_BUMP" | "KITCHEN_SERVED" | "KITCHEN_PRIORITY"> = Omit<
  TerminalMessageOf<T>,
  "type" | "mutationId"
>;

/** After that a send that waited in an outbox is late: the kitchen must not cook what was served long ago. */
const LATE_AFTER_MS = 300_000;
/** Each is stored with the ticket for good. */
const MAX_STATIONS = 50;

/** What the kitchen lacks of a check, of these lines or of all, one ticket for each station. */
export function send(state: ServiceState, request: Request<"ORDER_SEND">, context: RuleContext): Sent | Refused {
  const { posReference, lineIds } = request;
  const { now, queuedAt, writer, stations, menu, newId } = context;
  const stored = state.order(posReference);
  if (stored === null) return { refusal: { code: "NO_ORDER", values: { posReference } } };
  const lease = refusalOfLease(context.hub, posReference);
  if (lease !== null) return { refusal: lease };
  const unknown = lineIds?.find((id) => stored.snapshot.lines.every((line) => line.id !== id));
  if (unknown !== undefined) return { refusal: { code: "NO_LINE", values: { lineId: unknown } } };
  const lines = linesToSend(stored.snapshot.lines, lineIds);
  if (lines.length === 0) return { checks: [], tickets: [], ticketIds: [], itemStates: [] };
  const taken = takeItems(lines, state.stockOf, { now, queuedAt });
  if ("refusal" in taken) return taken;
  const tickets = makeTickets(stored.snapshot, lines, {
    sentAt: isoTime(now),
    sentBy: writer.userName,
    terminalId: writer.terminalId,
    lateSince: queuedAt !== null && now - queuedAt > LATE_AFTER_MS ? isoTime(queuedAt) : undefined,
    stations,
    menu,
    soldOut: taken.soldOut,
    newId,
  });
  const draft = createKitchenDraft(state.ticketsOf, [posReference]);
  for (const ticket of tickets) draft.add(ticket);
  const change = (snapshot: Snapshot): Snapshot =>
    isLocked(snapshot.status) ? snapshot : { ...snapshot, status: "sent" };
  return {
    ...kitchenChanges(state, draft, { now, kind: "sent", always: [posReference], change }),
    ticketIds: tickets.map(({ id }) => id),
    itemStates: taken.itemStates,
  };
}

/** What the kitchen lacks of these lines, or of all. */
export function linesToSend(lines: readonly StoredLine[], lineIds: readonly string[] | undefined): LineToSend[] {
  return lines
    .filter((line) => lineIds?.includes(line.id) !== false)
    .map((line) => ({ line, quantity: missingQuantity(line) }))
    .filter(({ quantity }) => quantity > 0);
}

/** A station has shown a ticket, or these lines of it, with so much of each as cancelled. */
export function markSeen(
  state: ServiceState,
  { kitchenTicketId, lineIds, stationId: shownAt, lines }: Request<"KITCHEN_SEEN">,
  { now }: Pick<RuleContext, "now">,
): KitchenProgress | Refused {
  const opened = openTicket(state, kitchenTicketId);
  if ("refusal" in opened) return opened;
  const { draft, ticket } = opened;
  const named = namedLines(ticket, lineIds);
  if ("refusal" in named) return named;
  const stationId = shownAt ?? ticket.stationId ?? ONLY_STATION;
  if (ticket.seen.every((seen) => seen.stationId !== stationId)) {
    if (ticket.seen.length >= MAX_STATIONS) {
      return { refusal: { code: "TOO_MANY_STATIONS", values: { most: MAX_STATIONS } } };
    }
    ticket.seen.push({ stationId, at: isoTime(now) });
  }
  for (const line of named) {
    const shown = (lines ?? ticket.lines).find(({ lineId }) => lineId === line.lineId);
    if (shown !== undefined && line.cancelledQuantity <= shown.cancelledQuantity) line.isSeen = true;
  }
  const { posReference } = ticket;
  // When its check is gone, those that hold its lines now get a version.
  const holders = ticket.lines.flatMap(({ shares }) => shares.map((share) => share.posReference));
  const always = state.order(posReference) === null ? holders : [posReference];
  return { ...kitchenChanges(state, draft, { now, kind: "seen", always }), posReference };
}

/** Progress on a line: of a ticket, over all its shares, or of a check, over all its tickets. */
export function bump(
  state: ServiceState,
  request: Request<"KITCHEN_BUMP">,
  { now }: Pick<RuleContext, "now">,
): KitchenProgress | Refused {
  const bumped = bumpedOf(state, request);
  if ("refusal" in bumped) return bumped;
  const { draft, posReference, lines, shares } = bumped;
  const { lineId, preparedQuantity, shownQuantity, kitchenItemStatus } = request;
  const present = sum(shares.map((share) => share.preparedQuantity));
  const shown = shownQuantity ?? present;
  // Others have said more since, or have recalled it: what this one did not know of it neither lowers nor brings back.
  const isBehind = present !== shown && preparedQuantity <= Math.max(present, shown);
  const sent = sum(shares.map(({ quantity }) => quantity));
  if (preparedQuantity > sent) return { refusal: { code: "ABOVE_SENT", values: { lineId, preparedQuantity, sent } } };
  if (isBehind) return { checks: [], tickets: [], posReference };
  setPrepared(shares, preparedQuantity, (share) => draft.parts(share.posReference, share.lineId));
  for (const line of lines) {
    if (kitchenItemStatus === undefined) delete line.kitchenItemStatus;
    else line.kitchenItemStatus = kitchenItemStatus;
  }
  return { ...kitchenChanges(state, draft, { now }), posReference };
}

/**
 * Lines of a ticket are served: those named, or all that are ready; of one check, where one is named. What is served was
 * prepared; `onlyReady`: a named line that is not ready is not served. `undo`: they were not served after all, and stand ready again.
 */
export function markServed(
  state: ServiceState,
  { kitchenTicketId, lineIds, onlyReady, heldBy, undo }: Request<"KITCHEN_SERVED">,
  { now }: Pick<RuleContext, "now">,
): KitchenProgress | Refused {
  const opened = openTicket(state, kitchenTicketId);
  if ("refusal" in opened) return opened;
  const { draft, ticket } = opened;
  const asked = namedLines(ticket, lineIds);
  if ("refusal" in asked) return asked;
  const isAsked = ({ posReference }: TicketShare): boolean => heldBy === undefined || posReference === heldBy;
  const isReady = (line: TicketLine): boolean =>
    heldBy === undefined
      ? line.state === "ready"
      : placesOf(ticket, line).some(({ address, left }) => address.posReference === heldBy && left === 0);
  const takesAll = undo === true || (lineIds !== undefined && onlyReady !== true);
  const lines = takesAll ? asked : asked.filter(isReady);
  for (const line of lines) {
    if (undo === true) unserve(line, isAsked);
    else serve(line, isAsked, draft);
  }
  return { ...kitchenChanges(state, draft, { now, kind: "served" }), posReference: ticket.posReference };
}

/** The kitchen is to make a ticket before all others, or in its turn again. */
export function prioritize(
  state: ServiceState,
  { kitchenTicketId, priority }: Request<"KITCHEN_PRIORITY">,
  { now }: Pick<RuleContext, "now">,
): KitchenProgress | Refused {
  const opened = openTicket(state, kitchenTicketId);
  if ("refusal" in opened) return opened;
  const { draft, ticket } = opened;
  if (priority) ticket.priority = true;
  else delete ticket.priority;
  return { ...kitchenChanges(state, draft, { now }), posReference: ticket.posReference };
}

function serve(line: TicketLine, isAsked: (share: TicketShare) => boolean, draft: KitchenDraft): void {
  const shares = line.shares.filter(isAsked);
  const active = sum(shares.map(activeQuantity));
  if (active === 0) return;
  const made = Math.max(sum(shares.map(({ preparedQuantity }) => preparedQuantity)), active);
  setPrepared(shares, made, (share) => draft.parts(share.posReference, share.lineId));
  if (shares.length === line.shares.length) line.isServed = true;
  else if (!line.isServed) for (const share of shares) share.isServed = true;
}

function unserve(line: TicketLine, isAsked: (share: TicketShare) => boolean): void {
  for (const share of line.shares) {
    if (isAsked(share)) delete share.isServed;
    else if (line.isServed) share.isServed = true;
  }
  line.isServed = false;
}

/** A ticket with all others of the checks that hold its lines. */
function openTicket(state: ServiceState, ticketId: string): { draft: KitchenDraft; ticket: KitchenTicket } | Refused {
  const draft = createKitchenDraft(state.ticketsOf, state.holdersOf(ticketId));
  const ticket = draft.find(ticketId);
  return ticket === undefined ? { refusal: { code: "NO_TICKET", values: { ticketId } } } : { draft, ticket };
}

/** A line by its id on the check from which it was sent, or on one that holds it now, if that names only one. */
function lineOf(ticket: KitchenTicket, lineId: string): TicketLine | undefined {
  const own = ticket.lines.find((line) => line.lineId === lineId);
  const shared = ticket.lines.filter(({ shares }) => shares.some((share) => share.lineId === lineId));
  return own ?? (shared.length === 1 ? shared[0] : undefined);
}

/** These lines of a ticket, or all. */
function namedLines(ticket: KitchenTicket, lineIds?: readonly string[]): TicketLine[] | Refused {
  const missing = lineIds?.find((lineId) => lineOf(ticket, lineId) === undefined);
  if (missing !== undefined) return noTicketLine(ticket, missing);
  return lineIds?.flatMap((lineId) => lineOf(ticket, lineId) ?? []) ?? ticket.lines;
}

function noTicketLine(ticket: KitchenTicket, lineId: string): Refused {
  return { refusal: { code: "NO_TICKET_LINE", values: { ticketId: ticket.id, lineId } } };
}

/** What a bump is about. A discarded check is found by its tickets. */
function bumpedOf(
  state: ServiceState,
  { posReference = "", kitchenTicketId, lineId }: Request<"KITCHEN_BUMP">,
): { draft: KitchenDraft; posReference: string; lines: TicketLine[]; shares: TicketShare[] } | Refused {
  if (kitchenTicketId !== undefined) {
    const opened = openTicket(state, kitchenTicketId);
    if ("refusal" in opened) return opened;
    const line = lineOf(opened.ticket, lineId);
    if (line === undefined) return noTicketLine(opened.ticket, lineId);
    return { draft: opened.draft, posReference: opened.ticket.posReference, lines: [line], shares: line.shares };
  }
  const order = state.order(posReference);
  if (order === null && !state.wasRemoved(posReference)) {
    return { refusal: { code: "NO_ORDER", values: { posReference } } };
  }
  const draft = createKitchenDraft(state.ticketsOf, [posReference]);
  const parts = draft.parts(posReference, lineId);
  if (parts.length > 0) {
    return { draft, posReference, lines: parts.map(({ line }) => line), shares: parts.map(({ share }) => share) };
  }
  const isLine = order?.snapshot.lines.some((line) => line.id === lineId) === true;
  return { refusal: { code: isLine ? "NEVER_SENT" : "NO_LINE", values: { lineId } } };
}
