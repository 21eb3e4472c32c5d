import type { Snapshot, Tender } from "@comanda/protocol";
import { expect, it } from "vitest";
import { isPaidAlike, lacksPayments } from "./paid-alike.ts";

const tender = (amount: number, more: Partial<Tender> = {}): Tender => ({
  tenderId: `${amount}`,
  methodId: 1,
  amount,
  takenAt: "2026-01-01T20:00:00Z",
  takenBy: "Ana",
  terminalId: "caja",
  ...more,
});
const voided = { at: "2026-01-01T20:05:00Z", by: "Ana", reason: "wrong table" };
const closed = (tenders: Tender[]) =>
  ({ status: "closed", totals: { subtotal: 100, tax: 0, total: 100 }, tenders }) as unknown as Snapshot;

it("a tender that was taken back does not count as a payment [REST-124]", () => {
  const paid = closed([tender(100)]);
  const twice = closed([tender(100), tender(40, { voided })]);
  expect(isPaidAlike(paid, twice)).toBe(true);
  expect(isPaidAlike(paid, closed([tender(40), tender(60)]))).toBe(false);
  const lacks = (snapshot: Snapshot) => lacksPayments({ snapshot } as Parameters<typeof lacksPayments>[0]);
  expect([lacks(paid), lacks(closed([tender(100, { voided })])), lacks(closed([]))]).toEqual([false, true, true]);
});
