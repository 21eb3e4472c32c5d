/** A body of orders/create: one dish for 118.00, including 18.00 of tax. */
export function order(pos_reference: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { pos_reference, lines: [line("l1", 118)], totals: { subtotal: 100, tax: 18, total: 118 }, ...fields };
}

export function line(id: string, total: number, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, productId: "108", quantity: 1, unitPrice: total, total, taxIds: ["1"], taxAmount: 0, ...fields };
}

/** A paid order as the hub forwards it. */
export function forwarded(posReference: string, snapshot: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    posReference,
    version: 4,
    tableId: null,
    terminalId: "t-1",
    createdAt: "2026-03-01 18:00:00",
    updatedAt: "2026-03-01 19:00:00",
    snapshot: {
      posReference,
      status: "paid",
      orderType: "dine_in",
      lines: [line("l1", 118)],
      totals: { subtotal: 100, tax: 18, total: 118 },
      payments: [{ methodId: 1, amount: 118 }],
      ...snapshot,
    },
  };
}

/** A hub event with a forwarded order. */
export function event(
  eventId: string | number,
  posReference: string,
  orderOfIt: unknown = forwarded(posReference),
): Record<string, unknown> {
  return { eventId, type: "hub_finalize", posReference, createdAt: "2026-03-01T19:00:00.000Z", order: orderOfIt };
}
