import { HUB_ORIGIN, type StoredOrder } from "@comanda/protocol";
import type { ChangeOf, Tx } from "../../changes/change.ts";
import { isoTime } from "../../platform/world.ts";
import type { FiscalPart } from "../payments/fiscal-rules.ts";
import type { OrderWrite } from "./order-changes.ts";
import type { OrderStore } from "./order-store.ts";

/** The new version of a check, for the answer to a write. */
export interface Written {
  posReference: string;
  version: number;
  seq: number;
}

/** The writer of a version: a user at a terminal, an integration, or the hub itself. */
export interface VersionWriter {
  terminalId: string;
  userName: string | null;
  /** When the terminal queued the change, ms since 1970; null if unknown. */
  queuedAt?: number | null;
  /** Time of a restore (ms since 1970) whose losses are recovered: older tickets and receipts are already printed. */
  restoredAt?: number;
}

/** The hub itself, without a user. */
export const hubWriter: VersionWriter = { terminalId: HUB_ORIGIN, userName: null };

/** Stores and emits a new version by `writer`, with the current time. */
export function saveVersion(
  orders: OrderStore,
  tx: Tx,
  writer: VersionWriter,
  write: Omit<OrderWrite, "origin" | "userName">,
): ChangeOf<"order.stored"> {
  const snapshot = { ...write.snapshot, updatedAt: isoTime(tx.now) };
  const { terminalId: origin, userName, queuedAt = null, restoredAt } = writer;
  const isRestored = restoredAt !== undefined && { isRestored: true as const };
  const change = { ...orders.save(tx, { ...write, snapshot, origin, userName }), queuedAt, ...isRestored };
  tx.emit(change);
  return change;
}

export function written(change: ChangeOf<"order.stored"> | ChangeOf<"order.removed">): Written {
  const { posReference, version } = change.kind === "order.stored" ? change.order : change;
  return { posReference, version, seq: change.seq };
}

/**
 * Marks a paid order as `closed` when the back-office has it, by a version of the hub. `receiptOf` returns the fiscal fields
 * that the back-office has sent. Does nothing for other orders.
 */
export function closeOrder(
  orders: OrderStore,
  tx: Tx,
  posReference: string,
  receiptOf: (order: StoredOrder) => FiscalPart = () => ({}),
): void {
  const stored = orders.get(posReference);
  if (stored === null || stored.snapshot.status !== "paid") return;
  saveVersion(orders, tx, hubWriter, {
    posReference,
    snapshot: { ...stored.snapshot, ...receiptOf(stored), status: "closed" },
    kind: "closed",
    previous: stored,
  });
}
