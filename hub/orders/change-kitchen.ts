import { terminalLimits, type Snapshot, type StoredOrder, type TerminalMessageOf } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { bumpLine, seeTicket, sendToKitchen } from "./kitchen-rules.ts";
import { requireNoOtherLease, requireOrder, requireUnlocked } from "./order-guards.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import type { VersionKind } from "./version-store.ts";
import type { Written } from "./upsert-order.ts";

/** Sends to the kitchen what it does not have yet. With nothing new there is no ticket and no version. */
export function sendOrder(
  room: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"ORDER_SEND">,
  writer: Writer,
  queuedAtMs: number | null,
): Written & { kitchenTicketId?: string } {
  const stored = requireOrder(room, request.posReference);
  requireUnlocked(stored);
  requireNoOtherLease(room, request.posReference, writer);
  const isLate = queuedAtMs !== null && tx.now - queuedAtMs > terminalLimits.lateSendMs;
  const ticketId = room.world.random.uuid();
  const snapshot = sendToKitchen(stored.snapshot, {
    ticketId,
    sentAt: isoTime(tx.now),
    sentBy: writer.userName,
    lineIds: request.lineIds,
    lateSince: isLate ? isoTime(queuedAtMs) : undefined,
  });
  if (snapshot === null) return unchanged(room, stored);
  room.tickets.save(ticketId, request.posReference);
  return { ...saveKitchen(room, tx, stored, snapshot, "sent", writer), kitchenTicketId: ticketId };
}

/** A station has shown a ticket. Kitchen stations write beside the terminal that holds the lease. */
export function markTicketSeen(
  room: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"KITCHEN_SEEN">,
  writer: Writer,
): Written {
  const posReference = room.tickets.ownerOf(request.kitchenTicketId);
  if (posReference === null) throw new HubError("NOT_FOUND", `there is no kitchen ticket ${request.kitchenTicketId}`);
  const stored = requireOrder(room, posReference);
  requireUnlocked(stored);
  const snapshot = seeTicket(stored.snapshot, request.kitchenTicketId, request.stationId, isoTime(tx.now));
  return snapshot === null ? unchanged(room, stored) : saveKitchen(room, tx, stored, snapshot, "seen", writer);
}

/** Kitchen progress on one line. */
export function bumpOrder(
  room: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"KITCHEN_BUMP">,
  writer: Writer,
): Written {
  const stored = requireOrder(room, request.posReference);
  requireUnlocked(stored);
  const snapshot = bumpLine(stored.snapshot, request.lineId, request.preparedQuantity, request.kitchenItemStatus);
  return snapshot === null ? unchanged(room, stored) : saveKitchen(room, tx, stored, snapshot, "bumped", writer);
}

function saveKitchen(
  room: OrderDeps,
  tx: Tx,
  stored: StoredOrder,
  snapshot: Snapshot,
  kind: VersionKind,
  writer: Writer,
): Written {
  const change = room.orders.save(tx, {
    posReference: stored.posReference,
    snapshot: { ...snapshot, updatedAt: isoTime(tx.now) },
    kind,
    origin: writer.terminalId,
    userName: writer.userName,
    previous: stored,
  });
  tx.emit(change);
  return { posReference: stored.posReference, version: change.order.version, seq: change.seq };
}

function unchanged(room: OrderDeps, stored: StoredOrder): Written {
  return { posReference: stored.posReference, version: stored.version, seq: room.orders.seqOf(stored.posReference) };
}
