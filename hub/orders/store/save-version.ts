import { HUB_ORIGIN, type StoredOrder } from "@comanda/protocol";
import type { ChangeOf, Tx } from "../../changes/change.ts";
import { isoTime } from "../../platform/world.ts";
import type { FiscalPart } from "../payments/fiscal-rules.ts";
import type { OrderWrite } from "./order-changes.ts";
import type { OrderStore } from "./order-store.ts";

/** What a terminal gets for its write. */
export interface Written {
  posReference: string;
  version: number;
  seq: number;
}

/** Who a version is by: a person at a terminal, an integration, or the hub itself. */
export interface VersionWriter {
  terminalId: string;
  userName: string | null;
  /** When the terminal queued it, ms since 1970. */
  queuedAt?: number | null;
  /** It brings back what was before a restore at this time (ms since 1970): what was sent or paid by then is on paper. */
  restoredAt?: number;
}

/** The hub itself, with nobody behind it. */
export const byHub: VersionWriter = { terminalId: HUB_ORIGIN, userName: null };

/** Stores the version that `writer` makes at this moment, and announces it. */
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
 * The back-office has this paid order: it becomes `closed`, a version of the hub's own, with what the back-office has said of
 * its receipt.
 */
export function closeOrder(
  orders: OrderStore,
  tx: Tx,
  posReference: string,
  receiptOf: (order: StoredOrder) => FiscalPart = () => ({}),
): void {
  const stored = orders.get(posReference);
  if (stored === null || stored.snapshot.status !== "paid") return;
  saveVersion(orders, tx, byHub, {
    posReference,
    snapshot: { ...stored.snapshot, ...receiptOf(stored), status: "closed" },
    kind: "closed",
    previous: stored,
  });
}
