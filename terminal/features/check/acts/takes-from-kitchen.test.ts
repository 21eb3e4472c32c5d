import type { StoredLine, StoredOrder } from "@comanda/protocol";
import type { OrderLine } from "@comanda/terminal";
import { expect, it } from "vitest";
import { takesFromKitchen } from "./takes-from-kitchen.ts";

const sent: StoredLine = { id: "sancocho", quantity: 2, sentQuantity: 2 };

function order(mine: readonly OrderLine[] | null, lines: readonly StoredLine[]) {
  const hub = { posReference: "A", snapshot: { lines } } as unknown as StoredOrder;
  return { posReference: "A", mine: mine === null ? null : { lines: [...mine] }, base: null, hub };
}

it("[TOUCH-440] a dish that somebody sent while it was taken off, or lowered, is for nobody to allow", () => {
  const whole: OrderLine = { id: "sancocho", quantity: 2 };
  expect(takesFromKitchen({ orders: [order([], [sent])] })).toBe(true);
  expect(takesFromKitchen({ orders: [order([{ ...whole, quantity: 1 }], [sent])] })).toBe(true);
  // Somebody may allow these: it stays with the kitchen.
  expect(takesFromKitchen({ orders: [order([{ ...whole, voided: true }], [sent])] })).toBe(false);
  const moved = { id: "part", quantity: 1, splitOf: "sancocho", splitFrom: "A" };
  const parts = [order([{ ...whole, quantity: 1 }], [sent]), order([moved], [])];
  expect(takesFromKitchen({ orders: parts })).toBe(false);
  expect(takesFromKitchen({ orders: [order(null, [sent])] })).toBe(false);
});
