import { addLine, type NewOrder, type OrderLine } from "@comanda/terminal";

export function lineOf(id: string, total = 100, fields: Partial<OrderLine> = {}): OrderLine {
  return { id, productId: "1", quantity: 1, unitPrice: total, total, taxIds: [], taxAmount: 0, ...fields };
}

let tables = 1_000;

/** Returns a table that no other test has used, because a second check on a table must be requested explicitly. */
export function freeTable(): number {
  return (tables += 1);
}

export function newOrder(posReference: string, lines: OrderLine[], tableId = freeTable()): NewOrder {
  const empty = { orderType: "dine_in", tableId, guestCount: 2 } as const;
  return { posReference, ...lines.reduce(addLine, empty) };
}
