import type { Snapshot } from "@comanda/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { cashier, createEvening, type Step, step, taxes } from "../../test/money-evening.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";
import { refundableLines, refundAmount } from "../refunds/refund-amounts.ts";
import { proportionOf, subtract, sum, toCents, toUnits } from "./amounts.ts";
import { dueCents, paidSoFar } from "./due/amount-due.ts";
import { taxesByName } from "./pricing/taxes-by-name.ts";

const SEED = 20_261_130;

/** An amount has whole cents, a quantity whole thousandths, and neither any dust of binary fractions. */
function expectClean(value: number | undefined, decimals: number): void {
  expect(Number((value ?? 0).toFixed(decimals)) === (value ?? 0)).toBe(true);
}

function expectSound({ lines, totals, adjustments = [], tenders, payments, status, orderType }: Snapshot): void {
  const counted = lines.filter(({ voided }) => voided !== true);
  for (const line of lines) {
    for (const amount of [line.total, line.taxAmount]) {
      expectClean(amount, 2);
      expect(amount).toBeGreaterThanOrEqual(0);
    }
    for (const quantity of [line.quantity, line.voidedQuantity]) expectClean(quantity, 4);
    expect(chargedQuantity(line)).toBeGreaterThanOrEqual(0);
    expect(line.taxAmount).toBeLessThanOrEqual(line.total ?? 0);
  }
  for (const { amount, granted = amount } of adjustments) {
    expectClean(amount, 2);
    expect(amount).toBeLessThanOrEqual(0);
    expect(amount).toBeGreaterThanOrEqual(granted);
  }
  const ofLines = sum(counted.map(({ total = 0 }) => total));
  expect(totals.total).toBe(sum([ofLines, ...adjustments.map(({ amount }) => amount)]));
  expect(totals.total).toBeGreaterThanOrEqual(0);
  expect(totals.tax).toBe(sum(counted.map(({ taxAmount = 0 }) => taxAmount)));
  expect(totals.tax).toBeGreaterThanOrEqual(0);
  expect(totals.subtotal).toBe(subtract(ofLines, totals.tax));
  const byName = taxesByName({ lines, orderType }, { taxes, rounding: "line" }, "other");
  expect(byName.filter(({ cents }) => !(cents > 0))).toEqual([]);
  expect(byName.reduce((cents, each) => cents + each.cents, 0)).toBe(toCents(totals.tax));
  const paid = status === "paid" ? sum((payments ?? []).map(({ amount }) => amount)) : paidSoFar({ tenders });
  if (status === "paid") expect(paid).toBe(totals.total);
  else expect(dueCents({ tenders, totals })).toBe(toUnits(subtract(totals.total, paid)) / 100);
  expect(paid).toBeLessThanOrEqual(totals.total);
}

/** What is refunded line by line, in two steps each, is what was paid. */
function expectRefundable(sale: Snapshot): void {
  const before: { lineId: string; quantity: number }[] = [];
  let refunded = 0;
  for (const { lineId, quantity } of refundableLines(sale)) {
    const first = proportionOf(quantity, 1, 3);
    for (const part of [first, subtract(quantity, first)]) {
      if (part <= 0) continue;
      const amount = refundAmount(sale, [{ lineId, quantity: part }], before);
      expect(amount).toBeGreaterThanOrEqual(0);
      refunded = sum([refunded, amount]);
      before.push({ lineId, quantity: part });
    }
  }
  expect(refunded).toBe(sale.totals.total);
}

/** Two checks for here and one to take away. */
const opened = [0, 2, 1].map((a): Step => ({ kind: "open", by: cashier, a, b: a, n: 2_500 }));

function walk(numRuns: number, maxLength: number): void {
  fc.assert(
    fc.property(fc.array(step, { maxLength, size: "max" }), (steps) => {
      const { restaurant, act } = createEvening();
      for (const each of [...opened, ...steps]) {
        const checks = restaurant.orders().map(({ snapshot }) => snapshot);
        const refusal = act(each);
        const after = restaurant.orders().map(({ snapshot }) => snapshot);
        for (const [at, snapshot] of after.entries()) if (snapshot !== checks[at]) expectSound(snapshot);
        if (refusal !== null && refusal !== undefined) expect(after).toEqual(checks);
        if (each.kind === "split") {
          expect(sum(after.map(({ totals }) => totals.total))).toBe(sum(checks.map(({ totals }) => totals.total)));
        }
        if (each.kind === "merge") {
          expect(sum(after.map(({ totals }) => sum([totals.subtotal, totals.tax])))).toBe(
            sum(checks.map(({ totals }) => sum([totals.subtotal, totals.tax]))),
          );
        }
        if (each.kind === "refund") {
          for (const sale of after) if (sale.status === "paid") expectRefundable(sale);
        }
      }
    }),
    { numRuns, seed: SEED },
  );
}

it("no change by anyone loses or makes a cent, over 200 random evenings [PRICE-83, PRICE-85]", () => {
  walk(200, 40);
});

it(
  "no change by anyone loses or makes a cent, over 5000 random evenings [PRICE-83]",
  { timeout: 300_000, tags: "long" },
  () => {
    walk(5_000, 100);
  },
);
