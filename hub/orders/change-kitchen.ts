import {
  isLocked,
  type KitchenTicket,
  type Snapshot,
  type StoredOrder,
  terminalLimits,
  type TerminalMessageOf,
  type TicketLine,
  type TicketShare,
} from "@comanda/protocol";
import { sum } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { KitchenDraft } from "../kitchen/kitchen-draft.ts";
import { missingQuantity } from "../kitchen/line-quantities.ts";
import { makeTickets, type LineToSend } from "../kitchen/make-tickets.ts";
import { activeQuantity, settleCancelled, setPrepared } from "../kitchen/ticket-rules.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { saveTickets } from "./kitchen-write.ts";
import { openDraft } from "./open-draft.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { requireNoOtherLease, requireOrder } from "./order-guards.ts";
import type { Written } from "./save-version.ts";
import type { VersionKind } from "./version-store.ts";

/** Sends to the kitchen what it does not have yet, one ticket for each station. With nothing new there is no version. */
export function sendOrder(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"ORDER_SEND">,
  writer: Writer,
  queuedAtMs: number | null,
): Written & { kitchenTicketId?: string; kitchenTicketIds?: string[] } {
  const { posReference } = request;
  const stored = requireOrder(deps, posReference);
  requireNoOtherLease(deps, posReference, writer);
  const lines = linesToSend(stored.snapshot, request.lineIds);
  if (lines.length === 0) return unchanged(deps, posReference, stored);
  const isLate = queuedAtMs !== null && tx.now - queuedAtMs > terminalLimits.lateSendMs;
  const tickets = makeTickets(stored.snapshot, lines, {
    sentAt: isoTime(tx.now),
    sentBy: writer.userName,
    terminalId: writer.terminalId,
    lateSince: isLate ? isoTime(queuedAtMs) : undefined,
    stations: deps.stations(),
    menu: deps.posConfig(),
    soldOut: deps.itemStates.take(tx, lines, queuedAtMs),
    newId: deps.world.random.uuid,
  });
  const draft = openDraft(deps, tx, [posReference]);
  for (const ticket of tickets) draft.add(ticket);
  const saved = saveTickets(deps, tx, draft, {
    writer,
    kind: "sent",
    always: [posReference],
    change: (snapshot) => (isLocked(snapshot.status) ? snapshot : { ...snapshot, status: "sent" }),
  });
  const kitchenTicketIds = tickets.map(({ id }) => id);
  return {
    ...(saved?.written.get(posReference) ?? unchanged(deps, posReference, stored)),
    ...(kitchenTicketIds[0] !== undefined && { kitchenTicketId: kitchenTicketIds[0], kitchenTicketIds }),
  };
}

/** What the kitchen lacks, of these lines or of all. */
function linesToSend(snapshot: Snapshot, lineIds: readonly string[] | undefined): LineToSend[] {
  const wanted = lineIds === undefined ? null : new Set(lineIds);
  for (const id of wanted ?? []) {
    if (!snapshot.lines.some((line) => line.id === id)) throw new HubError("NOT_FOUND", `the order has no line ${id}`);
  }
  return snapshot.lines
    .filter((line) => wanted === null || wanted.has(line.id))
    .map((line) => ({ line, quantity: missingQuantity(line) }))
    .filter(({ quantity }) => quantity > 0);
}

/** Each is stored with the ticket for good. */
const MAX_STATIONS = 50;

/** A station has shown a ticket, with what was cancelled of it. Stations write beside the terminal that holds the lease. */
export function markTicketSeen(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"KITCHEN_SEEN">,
  writer: Writer,
): Written {
  const { draft, ticket } = openTicket(deps, tx, request.kitchenTicketId);
  const { stationId } = request;
  if (!ticket.seen.some((seen) => seen.stationId === stationId)) {
    if (ticket.seen.length >= MAX_STATIONS) {
      throw new HubError("LIMIT_REACHED", `${MAX_STATIONS} stations have shown this ticket: no kitchen has more`);
    }
    ticket.seen.push({ stationId, at: isoTime(tx.now) });
  }
  for (const line of ticket.lines) line.isSeen = true;
  const { posReference } = ticket;
  // Of a check that is gone those that hold its lines now are told.
  const always = deps.orders.exists(posReference) ? [posReference] : holdersOf(ticket);
  return saveProgress(deps, tx, draft, { writer, kind: "seen", posReference, always });
}

/** Kitchen progress on a line: of a ticket, over all its shares, or of a check, over all its tickets. */
export function bumpOrder(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"KITCHEN_BUMP">,
  writer: Writer,
): Written {
  const { draft, posReference, lines, shares } = bumped(deps, tx, request);
  const { lineId, preparedQuantity, kitchenItemStatus } = request;
  const sent = sum(shares.map(({ quantity }) => quantity));
  if (preparedQuantity > sent) {
    throw new HubError(
      "VALIDATION_ERROR",
      `preparedQuantity ${preparedQuantity} is above the ${sent} sent of line ${lineId}`,
    );
  }
  setPrepared(shares, preparedQuantity);
  for (const line of lines) {
    if (kitchenItemStatus === undefined) delete line.kitchenItemStatus;
    else line.kitchenItemStatus = kitchenItemStatus;
  }
  settleShares(deps, draft, shares);
  return saveProgress(deps, tx, draft, { writer, kind: "bumped", posReference });
}

/** An expo or a station has served lines of a ticket: those named, or all that are ready. What is served was prepared. */
export function serveTicket(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"KITCHEN_SERVED">,
  writer: Writer,
): Written {
  const { draft, ticket } = openTicket(deps, tx, request.kitchenTicketId);
  const lines =
    request.lineIds?.map((lineId) => lineOf(ticket, lineId)) ?? ticket.lines.filter(({ state }) => state === "ready");
  for (const line of lines) {
    if (activeQuantity(line) === 0) continue;
    setPrepared(line.shares, Math.max(line.preparedQuantity, activeQuantity(line)));
    line.isServed = true;
  }
  return saveProgress(deps, tx, draft, { writer, kind: "served", posReference: ticket.posReference });
}

/** A ticket with all others of the checks that hold its lines. */
function openTicket(deps: OrderDeps, tx: Tx, ticketId: string): { draft: KitchenDraft; ticket: KitchenTicket } {
  const draft = openDraft(deps, tx, deps.tickets.holders(ticketId));
  const ticket = draft.tickets().find(({ id }) => id === ticketId);
  if (ticket === undefined) throw new HubError("NOT_FOUND", `there is no kitchen ticket ${ticketId}`);
  return { draft, ticket };
}

/** The checks that hold, or held, shares of a ticket. */
function holdersOf(ticket: KitchenTicket): string[] {
  return ticket.lines.flatMap(({ shares }) => shares.map(({ posReference }) => posReference));
}

/** A line by its id on the check from which it was sent, or on one that holds it now, if that names only one. */
function lineOf(ticket: KitchenTicket, lineId: string): TicketLine {
  const own = ticket.lines.find((line) => line.lineId === lineId);
  const shared = ticket.lines.filter(({ shares }) => shares.some((share) => share.lineId === lineId));
  const line = own ?? (shared.length === 1 ? shared[0] : undefined);
  if (line === undefined) throw new HubError("NOT_FOUND", `ticket ${ticket.id} has no line ${lineId}`);
  return line;
}

/** What a bump is about. A discarded check is found by its tickets. */
function bumped(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"KITCHEN_BUMP">,
): { draft: KitchenDraft; posReference: string; lines: TicketLine[]; shares: TicketShare[] } {
  const { posReference = "", kitchenTicketId, lineId } = request;
  if (kitchenTicketId !== undefined) {
    const { draft, ticket } = openTicket(deps, tx, kitchenTicketId);
    const line = lineOf(ticket, lineId);
    return { draft, posReference: ticket.posReference, lines: [line], shares: line.shares };
  }
  const order = deps.orders.wasRemoved(posReference) ? null : requireOrder(deps, posReference);
  const draft = openDraft(deps, tx, [posReference]);
  const parts = draft.parts(posReference, lineId);
  if (parts.length === 0) {
    const isLine = order?.snapshot.lines.some((line) => line.id === lineId) === true;
    if (!isLine) throw new HubError("NOT_FOUND", `the order has no line ${lineId}`);
    throw new HubError("VALIDATION_ERROR", `line ${lineId} was never sent to the kitchen`);
  }
  return { draft, posReference, lines: parts.map(({ line }) => line), shares: parts.map(({ share }) => share) };
}

/** Works out anew what is cancelled of the lines that hold these shares. */
function settleShares(deps: OrderDeps, draft: KitchenDraft, shares: readonly TicketShare[]): void {
  for (const share of shares) {
    const { posReference, lineId } = share;
    if (share.takenBack === true) {
      settleCancelled([{ share }], null);
      continue;
    }
    const line = deps.orders.get(posReference)?.snapshot.lines.find((each) => each.id === lineId);
    settleCancelled(draft.parts(posReference, lineId), line ?? null);
  }
}

/** Stores progress. The answer is about the check that was asked for, else about one that has changed with it. */
function saveProgress(
  deps: OrderDeps,
  tx: Tx,
  draft: KitchenDraft,
  about: { writer: Writer; kind: VersionKind; posReference: string; always?: readonly string[] },
): Written {
  const { writer, kind, posReference, always = [] } = about;
  const saved = saveTickets(deps, tx, draft, { writer, kind, always });
  if (saved === null) return unchanged(deps, posReference, deps.orders.get(posReference));
  return (
    saved.written.get(posReference) ??
    saved.written.values().next().value ?? {
      ...unchanged(deps, posReference, deps.orders.get(posReference)),
      seq: saved.seq,
    }
  );
}

/** Where a check stands; of a discarded one the version that its discard made. */
function unchanged(deps: OrderDeps, posReference: string, stored: StoredOrder | null): Written {
  const version = stored?.version ?? deps.orders.removal(posReference)?.version ?? 1;
  return { posReference, version, seq: deps.orders.seqOf(posReference) };
}
