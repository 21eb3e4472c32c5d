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
import { consumeStock, type ConsumedStock } from "./item-states.ts";
import { type KitchenChanges, kitchenChanges } from "./kitchen-changes.ts";
import { createKitchenDraft, type KitchenDraft } from "./kitchen-draft.ts";
import { missingQuantity } from "./line-quantities.ts";
import { makeTickets, type LineToSend } from "./make-tickets.ts";
import { placesOf } from "./dish-places.ts";
import { activeQuantity, setPrepared } from "./shares.ts";
import { ONLY_STATION } from "./stations.ts";

/** The result of kitchen work; `posReference` is the check it concerns. */
export interface KitchenProgress extends KitchenChanges {
  posReference: string;
}

/** The result of a send: the new tickets, and the stock that is left. */
export interface Sent extends KitchenChanges {
  ticketIds: string[];
  itemStates: ConsumedStock["itemStates"];
}

type Request<T extends "ORDER_SEND" | "KITCHEN_SEEN" | "KITCHEN_BUMP" | "KITCHEN_SERVED" | "KITCHEN_PRIORITY"> = Omit<
  TerminalMessageOf<T>,
  "type" | "mutationId"
>;

/** A queued send that arrives later than this is late, because its dishes may have been served long ago. */
const LATE_AFTER_MS = 300_000;
/** Bounds the list of stations, which is stored with the ticket permanently. */
const MAX_STATIONS = 50;

/** Sends what the kitchen lacks of a check's lines (all, or those named), with one ticket per station. */
export function send(state: ServiceState, request: Request<"ORDER_SEND">, context: RuleContext): Sent | Refused {
  const { posReference, lineIds } = request;
  const { now, queuedAt, writer, stations, menu, newId } = context;
  const stored = state.order(posReference);
  if (stored === null) return { refusal: { code: "NO_ORDER", values: { posReference } } };
  const lease = refusalOfLease(context.hub, posReference);
  if (lease !== null) return { refusal: lease };
  const unknownId = lineIds?.find((id) => stored.snapshot.lines.every((line) => line.id !== id));
  if (unknownId !== undefined) return { refusal: { code: "NO_LINE", values: { lineId: unknownId } } };
  const lines = linesToSend(stored.snapshot.lines, lineIds);
  if (lines.length === 0) return { checks: [], tickets: [], ticketIds: [], itemStates: [] };
  const consumed = consumeStock(lines, state.stockOf, { now, queuedAt });
  if ("refusal" in consumed) return consumed;
  const tickets = makeTickets(stored.snapshot, lines, {
    sentAt: isoTime(now),
    sentBy: writer.userName,
    terminalId: writer.terminalId,
    lateSince: queuedAt !== null && now - queuedAt > LATE_AFTER_MS ? isoTime(queuedAt) : undefined,
    stations,
    menu,
    soldOut: consumed.soldOut,
    newId,
  });
  const draft = createKitchenDraft(state.ticketsOf, [posReference]);
  for (const ticket of tickets) draft.add(ticket);
  const change = (snapshot: Snapshot): Snapshot =>
    isLocked(snapshot.status) ? snapshot : { ...snapshot, status: "sent" };
  return {
    ...kitchenChanges(state, draft, { now, kind: "sent", always: [posReference], change }),
    ticketIds: tickets.map(({ id }) => id),
    itemStates: consumed.itemStates,
  };
}

/** Returns the unsent quantities of these lines, or of all. */
export function linesToSend(lines: readonly StoredLine[], lineIds: readonly string[] | undefined): LineToSend[] {
  return lines
    .filter((line) => lineIds?.includes(line.id) !== false)
    .map((line) => ({ line, quantity: missingQuantity(line) }))
    .filter(({ quantity }) => quantity > 0);
}

/** Marks lines of a ticket as seen at a station, with the cancelled quantities that it showed. */
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
  if (ticket.seen.every((entry) => entry.stationId !== stationId)) {
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
  // If the ticket's check is gone, the checks that hold its lines get the new version.
  const holders = ticket.lines.flatMap(({ shares }) => shares.map((share) => share.posReference));
  const always = state.order(posReference) === null ? holders : [posReference];
  return { ...kitchenChanges(state, draft, { now, kind: "seen", always }), posReference };
}

/** Sets the prepared quantity of a line: on a ticket over all its shares, or on a check over all its tickets. */
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
  // Other stations have reported more, or a recall, in the meantime. This outdated report must not override that.
  const isBehind = present !== shown && preparedQuantity <= Math.max(present, shown);
  const sent = sum(shares.map(({ quantity }) => quantity));
  if (preparedQuantity > sent) return { refusal: { code: "ABOVE_SENT", values: { lineId, preparedQuantity, sent } } };
  if (isBehind) return { checks: [], tickets: [], posReference };
  setPrepared(shares, preparedQuantity, (share) => draft.parts(share.posReference, share.lineId));
  for (const line of lines) {
    if (kitchenItemStatus === undefined) delete line.kitchenItemStatus;
    else line.kitchenItemStatus = kitchenItemStatus;
  }
  if (preparedQuantity < present) rewordRecalled(state, draft, shares, now);
  return { ...kitchenChanges(state, draft, { now }), posReference };
}

/** While a dish was ready it kept its words. What is made again has those that its line has by now. */
function rewordRecalled(state: ServiceState, draft: KitchenDraft, shares: readonly TicketShare[], now: number): void {
  const checks = [...new Set(shares.map(({ posReference }) => posReference))].flatMap((posReference) => {
    const lines = state.order(posReference)?.snapshot.lines;
    return lines === undefined ? [] : [{ posReference, requested: lines }];
  });
  draft.settle(isoTime(now));
  draft.reword(checks, now);
}

/**
 * Marks ticket lines as served, which also makes them prepared: the named lines, or all that are ready; with `heldBy` only that
 * check's shares. With `onlyReady`, named lines that are not ready are skipped. `undo` makes the lines ready again.
 */
export function markServed(
  state: ServiceState,
  { kitchenTicketId, lineIds, onlyReady, heldBy, undo }: Request<"KITCHEN_SERVED">,
  { now }: Pick<RuleContext, "now">,
): KitchenProgress | Refused {
  const opened = openTicket(state, kitchenTicketId);
  if ("refusal" in opened) return opened;
  const { draft, ticket } = opened;
  const requestedLines = namedLines(ticket, lineIds);
  if ("refusal" in requestedLines) return requestedLines;
  const isIncluded = ({ posReference }: TicketShare): boolean => heldBy === undefined || posReference === heldBy;
  const isReady = (line: TicketLine): boolean =>
    heldBy === undefined
      ? line.state === "ready"
      : placesOf(ticket, line).some(({ address, left }) => address.posReference === heldBy && left === 0);
  const takesAll = undo === true || (lineIds !== undefined && onlyReady !== true);
  const lines = takesAll ? requestedLines : requestedLines.filter(isReady);
  for (const line of lines) {
    if (undo === true) unserve(line, isIncluded);
    else serve(line, isIncluded, draft);
  }
  return { ...kitchenChanges(state, draft, { now, kind: "served" }), posReference: ticket.posReference };
}

/** Moves a ticket before all others in the kitchen, or back to its turn. */
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

function serve(line: TicketLine, isIncluded: (share: TicketShare) => boolean, draft: KitchenDraft): void {
  const shares = line.shares.filter(isIncluded);
  const active = sum(shares.map(activeQuantity));
  if (active === 0) return;
  const made = Math.max(sum(shares.map(({ preparedQuantity }) => preparedQuantity)), active);
  setPrepared(shares, made, (share) => draft.parts(share.posReference, share.lineId));
  if (shares.length === line.shares.length) line.isServed = true;
  else if (!line.isServed) for (const share of shares) share.isServed = true;
}

function unserve(line: TicketLine, isIncluded: (share: TicketShare) => boolean): void {
  for (const share of line.shares) {
    if (isIncluded(share)) delete share.isServed;
    else if (line.isServed) share.isServed = true;
  }
  line.isServed = false;
}

/** Opens a ticket together with all other tickets of the checks that hold its lines. */
function openTicket(state: ServiceState, ticketId: string): { draft: KitchenDraft; ticket: KitchenTicket } | Refused {
  const draft = createKitchenDraft(state.ticketsOf, state.holdersOf(ticketId));
  const ticket = draft.find(ticketId);
  return ticket === undefined ? { refusal: { code: "NO_TICKET", values: { ticketId } } } : { draft, ticket };
}

/** Finds a line by its id on the check it was sent from, or on a check that holds it now if that is unambiguous. */
function lineOf(ticket: KitchenTicket, lineId: string): TicketLine | undefined {
  const own = ticket.lines.find((line) => line.lineId === lineId);
  const shared = ticket.lines.filter(({ shares }) => shares.some((share) => share.lineId === lineId));
  return own ?? (shared.length === 1 ? shared[0] : undefined);
}

/** Returns the named lines of a ticket, or all of them. */
function namedLines(ticket: KitchenTicket, lineIds?: readonly string[]): TicketLine[] | Refused {
  const missing = lineIds?.find((lineId) => lineOf(ticket, lineId) === undefined);
  if (missing !== undefined) return noTicketLine(ticket, missing);
  return lineIds?.flatMap((lineId) => lineOf(ticket, lineId) ?? []) ?? ticket.lines;
}

function noTicketLine(ticket: KitchenTicket, lineId: string): Refused {
  return { refusal: { code: "NO_TICKET_LINE", values: { ticketId: ticket.id, lineId } } };
}

/** Resolves the target of a bump. A discarded check is found through its tickets. */
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
