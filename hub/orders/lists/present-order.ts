import type { OrderSummary, StoredOrder } from "@comanda/protocol";
import type { ChangeOf } from "../../changes/change.ts";
import { appendJsonField } from "../../platform/append-json-field.ts";

/** Returns a stored order with only the fields that the integration API documents. */
export function presentStored(order: StoredOrder): Omit<StoredOrder, "forward"> {
  const { posReference, version, tableId, terminalId, createdAt, updatedAt, snapshot } = order;
  return { posReference, version, tableId, terminalId, createdAt, updatedAt, snapshot };
}

/** Returns the serialized response to a write. */
export function presentWritten({ order, snapshotJson }: ChangeOf<"order.stored">): string {
  const { posReference, version } = order;
  return appendJsonField(JSON.stringify({ posReference, version }), "snapshot", snapshotJson);
}

/** Returns the summary of an order for lists; voided lines are not counted as items. */
export function presentSummary(order: StoredOrder): OrderSummary {
  const { posReference, version, tableId, updatedAt, snapshot } = order;
  const { subtotal, tax, total } = snapshot.totals;
  return {
    posReference,
    version,
    tableId,
    status: snapshot.status,
    orderType: snapshot.orderType,
    ticketNumber: snapshot.ticketNumber ?? null,
    customerName: snapshot.customerName ?? null,
    itemCount: snapshot.lines.filter((line) => line.voided !== true).length,
    totals: { subtotal, tax, total },
    updatedAt,
    origin: order.terminalId,
  };
}
