import type { OrderSummary, Snapshot, StoredLine, StoredOrder, WrittenOrder } from "@comanda/protocol";

/** Returns a stored order with only the fields that the integration API documents. */
export function presentStored(order: StoredOrder): Omit<StoredOrder, "forward"> {
  const { posReference, version, tableId, terminalId, createdAt, updatedAt, snapshot } = order;
  return { posReference, version, tableId, terminalId, createdAt, updatedAt, snapshot: presentSnapshot(snapshot) };
}

/** Returns the response to a write. */
export function presentWritten({ posReference, version, snapshot }: StoredOrder): WrittenOrder {
  return { posReference, version, snapshot: presentSnapshot(snapshot) };
}

/**
 * Returns a snapshot in the form that integrations know, also if a terminal wrote it: with every documented field, and with
 * lines whose documented fields can be sent back.
 */
export function presentSnapshot(snapshot: Snapshot): Snapshot {
  return { customerName: null, notes: null, ...snapshot, lines: snapshot.lines.map(presentLine) };
}

function presentLine({ productId, taxIds, note, specialRequest, ...line }: StoredLine): StoredLine {
  return {
    ...line,
    ...(productId !== undefined && { productId: String(productId) }),
    ...(taxIds !== undefined && { taxIds: taxIds.map(String) }),
    ...(note != null && { note }),
    ...(specialRequest != null && { specialRequest }),
  };
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
