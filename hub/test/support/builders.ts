/** Builds a takeout order of one coffee. Tests override only the fields that matter. */
export function takeoutOrder(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { orderType: "takeout", lines: [line()], totals: { subtotal: 100, tax: 18, total: 118 }, ...overrides };
}

/** Builds a dine-in order of one coffee. */
export function dineInOrder(tableId: number, overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { tableId, lines: [line()], totals: { subtotal: 100, tax: 18, total: 118 }, ...overrides };
}

export function line(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { productId: "101", quantity: 1, unitPrice: 118, total: 118, taxIds: ["1"], taxAmount: 18, ...overrides };
}

/** Builds the snapshot that a terminal sends to open or change an order. */
export function terminalSnapshot(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    orderType: "takeout",
    lines: [{ id: "a", productId: 101, quantity: 2, unitPrice: 50, total: 100 }],
    ...overrides,
  };
}
