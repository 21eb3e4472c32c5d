import type { OrderSummary, Snapshot, StoredOrder } from "@comanda/protocol";

/** A stored order as the integration API shows it: the documented fields and nothing of the hub's own. */
export function presentStored(order: StoredOrder): Omit<StoredOrder, "forward"> {
  const { posReference, version, tableId, terminalId, createdAt, updatedAt, snapshot } = order;
  return { posReference, version, tableId, terminalId, createdAt, updatedAt, snapshot };
}

/** The answer to a write. */
export function presentWritten(order: StoredOrder): { posReference: string; version: number; snapshot: Snapshot } {
  const { posReference, version, snapshot } = order;
  return { posReference, version, snapshot };
}

/** An item of the order list; voided lines are no items. */
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
