import { type Snapshot, type StoredOrder, terminalLimits, type TerminalMessageOf } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { bumpLine, seeTicket, sendToKitchen } from "./kitchen-rules.ts";
import { missingQuantity } from "./line-rules.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { requireNoOtherLease, requireOrder, requireUnlocked } from "./order-guards.ts";
import { saveVersion, written, type Written } from "./save-version.ts";
import type { VersionKind } from "./version-store.ts";

/** Sends to the kitchen what it does not have yet. With nothing new there is no ticket and no version. */
export function sendOrder(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"ORDER_SEND">,
  writer: Writer,
  queuedAtMs: number | null,
): Written & { kitchenTicketId?: string } {
  const stored = requireOrder(deps, request.posReference);
  requireUnlocked(stored);
  requireNoOtherLease(deps, request.posReference, writer);
  const isLate = queuedAtMs !== null && tx.now - queuedAtMs > terminalLimits.lateSendMs;
  const ticketId = deps.world.random.uuid();
  const wanted = request.lineIds === undefined ? null : new Set(request.lineIds);
  const newLines = stored.snapshot.lines
    .filter((line) => wanted === null || wanted.has(line.id))
    .map((line) => ({ line, quantity: missingQuantity(line) }))
    .filter(({ quantity }) => quantity > 0);
  const soldOut = deps.itemStates.take(tx, newLines, queuedAtMs);
  const snapshot = sendToKitchen(stored.snapshot, {
    soldOut,
    ticketId,
    sentAt: isoTime(tx.now),
    sentBy: writer.userName,
    lineIds: request.lineIds,
    lateSince: isLate ? isoTime(queuedAtMs) : undefined,
  });
  if (snapshot === null) return unchanged(deps, stored);
  deps.tickets.save(ticketId, request.posReference);
  return { ...saveKitchen(deps, tx, stored, snapshot, "sent", writer), kitchenTicketId: ticketId };
}

/** A station has shown a ticket. Kitchen stations write beside the terminal that holds the lease. */
export function markTicketSeen(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"KITCHEN_SEEN">,
  writer: Writer,
): Written {
  const posReference = deps.tickets.ownerOf(request.kitchenTicketId);
  if (posReference === null) throw new HubError("NOT_FOUND", `there is no kitchen ticket ${request.kitchenTicketId}`);
  const stored = requireOrder(deps, posReference);
  requireUnlocked(stored);
  const snapshot = seeTicket(stored.snapshot, request.kitchenTicketId, request.stationId, isoTime(tx.now));
  return snapshot === null ? unchanged(deps, stored) : saveKitchen(deps, tx, stored, snapshot, "seen", writer);
}

/** Kitchen progress on one line. */
export function bumpOrder(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"KITCHEN_BUMP">,
  writer: Writer,
): Written {
  const stored = requireOrder(deps, request.posReference ?? "");
  requireUnlocked(stored);
  const snapshot = bumpLine(stored.snapshot, request.lineId, request.preparedQuantity, request.kitchenItemStatus);
  return snapshot === null ? unchanged(deps, stored) : saveKitchen(deps, tx, stored, snapshot, "bumped", writer);
}

function saveKitchen(
  deps: OrderDeps,
  tx: Tx,
  previous: StoredOrder,
  snapshot: Snapshot,
  kind: VersionKind,
  writer: Writer,
): Written {
  const { posReference } = previous;
  return written(saveVersion(deps, tx, writer, { posReference, snapshot, kind, previous }));
}

function unchanged(deps: OrderDeps, stored: StoredOrder): Written {
  return { posReference: stored.posReference, version: stored.version, seq: deps.orders.seqOf(stored.posReference) };
}
