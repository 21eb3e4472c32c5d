import type { Tender } from "@comanda/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { dueCents } from "./due/amount-due.ts";
import { toCents } from "./amounts.ts";
import { settleCash } from "./cash/cash.ts";
import { partsOf } from "./due/parts.ts";
import { priceOrder } from "./pricing/price-order.ts";
import { splitAmount } from "./split.ts";
import { vectorTaxes } from "../../test/pricing-vectors.ts";

const numRuns = 2_000;
const cents = fc.integer({ min: 0, max: 100_000_000 });
const total = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0);
const line = fc.record({
  unitPrice: cents.map((each) => each / 1_000),
  quantity: fc.integer({ min: 1, max: 9_999 }).map((each) => each / 1_000),
  discount: fc.integer({ min: 0, max: 100 }).map((percent) => ({ percent })),
  taxes: fc.subarray(Object.values(vectorTaxes)),
});

it(`prices, discounts, taxes and the legal tip conserve every cent (${numRuns} orders) [PRICE-83]`, () => {
  const orders = fc.tuple(
    fc.array(line, { minLength: 1, maxLength: 8 }),
    cents.map((each) => -each / 100),
    fc.constantFrom("line" as const, "order" as const),
    fc.constantFrom("dine_in", "takeout"),
  );
  fc.assert(
    fc.property(orders, ([lines, amount, rounding, orderType]) => {
      const priced = priceOrder(lines, { orderType, rounding }, [{ amount }]);
      const [whole, off, more] = [priced.total, amount, priced.rounding].map(toCents);
      expect(toCents(priced.subtotal) + toCents(priced.tax) + off!).toBe(whole);
      expect(total(priced.taxes.map((tax) => toCents(tax.amount)))).toBe(toCents(priced.tax));
      expect(total(priced.lines.map((each) => toCents(each.total))) + more! + off!).toBe(whole);
    }),
    { numRuns },
  );
});

it(`parts, payments and change conserve every cent (${numRuns} checks) [PRICE-83]`, () => {
  const checks = fc.tuple(cents, fc.integer({ min: 1, max: 30 }), fc.array(cents, { maxLength: 6 }));
  fc.assert(
    fc.property(checks, ([check, count, payments]) => {
      expect(total(splitAmount(check / 100, count).map(toCents))).toBe(check);
      let due = check;
      const tenders = payments.map((handed, index): Tender => {
        const { amount, tip, change } = settleCash(handed, { amount: due, tip: 100 });
        expect(amount + tip + change).toBe(handed);
        due -= amount;
        return { tenderId: `${index}`, methodId: 1, amount: amount / 100, takenAt: "", takenBy: "", terminalId: "" };
      });
      const paid = total(tenders.map(({ amount }) => toCents(amount)));
      const left = dueCents({ totals: { subtotal: 0, tax: 0, total: check / 100 }, tenders });
      expect(left + paid).toBe(check);
      expect(total(partsOf(check, { count }, paid).map((part) => part.left))).toBe(left);
    }),
    { numRuns },
  );
});
