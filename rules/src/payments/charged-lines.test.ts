import { expect, it } from "vitest";
import { chargedQuantity, hasChargedLines } from "./charged-lines.ts";

it("a line that is void, whole or in all its parts, does not count as charged [MONEY-18]", () => {
  const line = { quantity: 2 };
  expect(hasChargedLines({ lines: [line] })).toBe(true);
  expect(hasChargedLines({ lines: [{ ...line, voidedQuantity: 1 }] })).toBe(true);
  expect(hasChargedLines({ lines: [] })).toBe(false);
  expect(hasChargedLines({ lines: [{ ...line, voided: true }] })).toBe(false);
  expect(hasChargedLines({ lines: [{ ...line, voidedQuantity: 2 }] })).toBe(false);
});

it("the charged quantity of a line is what is not void [MONEY-18]", () => {
  expect(chargedQuantity({ quantity: 0.3, voidedQuantity: 0.1 })).toBe(0.2);
  expect(chargedQuantity({ quantity: 2, voided: true })).toBe(0);
});
