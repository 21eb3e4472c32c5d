import type { StoredLine, StoredOrder } from "@comanda/protocol";
import type { OrderLine } from "@comanda/terminal";
import { expect, it } from "vitest";
import { takesFromKitchen } from "./takes-from-kitchen.ts";

const whole: OrderLine = { id: "sancocho", quantity: 2 };
const sent: StoredLine = { id: "sancocho", quantity: 2, sentQuantity: 2 };

/** A check in conflict; `before` are the lines from which this device made its change. */
function order(
  mine: readonly OrderLine[] | null,
  lines: readonly StoredLine[],
  before: readonly OrderLine[] = [whole],
) {
  const hub = { posReference: "A", snapshot: { lines } } as unknown as StoredOrder;
  return { posReference: "A", mine: mine === null ? null : { lines: [...mine] }, base: { lines: [...before] }, hub };
}

it("nobody can approve removing or lowering a dish that was sent meanwhile [TOUCH-440]", () => {
  expect(takesFromKitchen({ orders: [order([], [sent])] })).toBe(true);
  expect(takesFromKitchen({ orders: [order([{ ...whole, quantity: 1 }], [sent])] })).toBe(true);
  // These can be approved: the kitchen keeps the dish.
  expect(takesFromKitchen({ orders: [order([{ ...whole, voided: true }], [sent])] })).toBe(false);
  const moved = { id: "part", quantity: 1, splitOf: "sancocho", splitFrom: "A" };
  const parts = [order([{ ...whole, quantity: 1 }], [sent]), order([moved], [], [])];
  expect(takesFromKitchen({ orders: parts })).toBe(false);
  expect(takesFromKitchen({ orders: [order(null, [sent])] })).toBe(false);
  // Lines added and sent elsewhere while the act waited are not affected by it.
  const others: StoredLine[] = [sent, { id: "mofongo", quantity: 1, sentQuantity: 1 }];
  expect(takesFromKitchen({ orders: [order([{ ...whole, voided: true }], others)] })).toBe(false);
  const one: OrderLine = { id: "sancocho", quantity: 1 };
  const voided = [one, { id: "agua", quantity: 1, voided: true }];
  expect(takesFromKitchen({ orders: [order(voided, [sent], [one, { id: "agua", quantity: 1 }])] })).toBe(false);
});
