import type { Tender } from "@comanda/protocol";
import { expect, it } from "vitest";
import { amountDue, balanceOf, dueCents } from "./amount-due.ts";

const tender = (amount: number, over: Partial<Tender> = {}): Tender => ({
  tenderId: String(amount),
  methodId: 1,
  amount,
  takenAt: "2026-01-01T20:00:00Z",
  takenBy: "Ana",
  terminalId: "caja",
  ...over,
});
const voided = { at: "2026-01-01T20:05:00Z", by: "Ana", reason: "wrong table" };

it.each([
  [100, [], 10_000],
  [10.075, [tender(10)], 8],
  [0.3, [tender(0.1), tender(0.2)], 0],
  [100, [tender(60), tender(40, { voided })], 4_000],
  [50, [tender(60)], -1_000],
])("of a total of %f, after the payments %j, %i cents are due [MONEY-120]", (total, tenders, cents) => {
  const check = { totals: { subtotal: total, tax: 0, total }, tenders };
  expect(dueCents(check)).toBe(cents);
  expect(balanceOf(check)).toBe(cents / 100);
  expect(amountDue(check)).toBe(Math.max(0, cents) / 100);
});
