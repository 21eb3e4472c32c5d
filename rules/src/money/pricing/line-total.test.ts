import { expect, it } from "vitest";
import { lineTotal } from "./line-total.ts";

it.each([
  [{ quantity: 3, unitPrice: 0.335 }, 1.01],
  [{ quantity: 1, unitPrice: 1.005 }, 1.01],
  [{ quantity: 0.333, unitPrice: 225 }, 74.93],
  [{ quantity: 1, unitPrice: -1.005 }, -1.01],
  // Rounded once, not to four decimals first.
  [{ quantity: 0.001, unitPrice: 4.9999 }, 0],
  [{ quantity: 4, voidedQuantity: 3, unitPrice: 10.125 }, 10.13],
  [{ quantity: 2 }, 0],
  [{ quantity: 2, unitPrice: 100, total: 199.995 }, 199.995],
])("the line %o costs %d [PRICE-84]", (line, total) => {
  expect(lineTotal(line)).toBe(total);
});
