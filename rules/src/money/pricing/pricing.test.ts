import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCents } from "../amounts.ts";
import { priceLine, type LineToPrice, type TaxToPrice } from "./price-line.ts";
import { priceOrder } from "./price-order.ts";
import { splitQuantity } from "../split-quantity.ts";
import { splitAmount, splitLine } from "../split.ts";
import { sumOfLines } from "./sum-of-lines.ts";
import {
  lineSplitVectors,
  orderOfVector,
  orderVectors,
  splitVectors,
  vectorTaxes,
} from "../../../test/pricing-vectors.ts";

const ruleOf: Record<string, string> = {
  "taxes on top": "[PRICE-1]",
  "taxes included": "[PRICE-2]",
  "taxes included and on top": "[PRICE-3]",
  fractions: "[PRICE-4]",
  modifiers: "[PRICE-5]",
  discounts: "[PRICE-6]",
  "rounding per line and per order": "[PRICE-7]",
  refunds: "[PRICE-8]",
  "voided lines": "[PRICE-9]",
  "nothing, and very much": "[PRICE-10]",
};

describe("pricing vectors", () => {
  for (const { topic, name, orderType, rounding, lines, adjustments = [], expected } of orderVectors) {
    it(`${ruleOf[topic]} ${topic}: ${name}`, () => {
      const priced = priceOrder(lines, { orderType, rounding }, adjustments);
      expect({
        lines: priced.lines.map(({ subtotal, tax, total }) => [subtotal, tax, total]),
        amounts: [priced.subtotal, priced.tax, priced.total],
        taxes: Object.fromEntries(priced.taxes.map(({ id, amount }) => [id, amount])),
        rounding: priced.rounding,
      }).toEqual({ lines: lines.map((line) => line.expected), rounding: 0, ...expected });
    });
  }

  it("the stored lines of each vector add up to its total [PRICE-9, PRICE-13]", () => {
    for (const vector of orderVectors) {
      const { lines, adjustments, totals } = orderOfVector(vector);
      expect({ name: vector.name, total: sumOfLines(lines, adjustments).total }).toEqual({
        name: vector.name,
        total: totals.total,
      });
    }
  });

  it("an amount is split by largest remainder, to the cent [PRICE-11]", () => {
    for (const { amount, parts, expected } of splitVectors) {
      expect({ amount, parts, split: splitAmount(amount, parts) }).toEqual({ amount, parts, split: expected });
    }
  });

  it.each([
    [1, 3, [0.334, 0.333, 0.333]],
    [2, 2, [1, 1]],
    [0.002, 3, [0.001, 0.001, 0]],
    [0.3333, 2, [0.1673, 0.166]],
  ])("%f divided by %i in thousandths adds up to it [PRICE-82]", (quantity, parts, expected) => {
    expect(splitQuantity(quantity, parts)).toEqual(expected);
  });

  it("a split divides total and tax of a line by quantity [PRICE-12]", () => {
    for (const { line, quantities, expected } of lineSplitVectors) {
      expect(splitLine(line, quantities)).toEqual(expected);
    }
  });
});

const { itbis, tip, exempt, itbisIncluded, tipIncluded, reduced } = vectorTaxes;
const decimals = (places: number, min: number, max: number) =>
  fc.integer({ min: min * 10 ** places, max: max * 10 ** places }).map((units) => units / 10 ** places);
const taxes = fc.constantFrom<readonly TaxToPrice[]>(
  [],
  [itbis],
  [itbis, tip],
  [exempt],
  [itbisIncluded],
  [itbisIncluded, tipIncluded],
  [itbisIncluded, tip],
  [reduced, tipIncluded],
);
const lineToPrice: fc.Arbitrary<LineToPrice> = fc.record({
  unitPrice: decimals(2, -5000, 5000),
  quantity: decimals(3, 0, 20),
  modifiers: fc.array(fc.record({ price: decimals(2, -50, 200) }), { maxLength: 3 }),
  discount: fc.option(
    fc.oneof(fc.record({ percent: decimals(2, 0, 100) }), fc.record({ amount: decimals(2, 0, 500) })),
    {
      nil: undefined,
    },
  ),
  taxes,
});
const rules = fc.record({
  orderType: fc.constantFrom("dine_in", "takeout", "delivery"),
  rounding: fc.constantFrom("line" as const, "order" as const),
});
const sumInCents = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + toCents(amount), 0);

describe("whatever is priced", () => {
  it("parts add up to the cent, and equal parts differ by at most a cent [PRICE-11]", () => {
    fc.assert(
      fc.property(decimals(2, -1_000_000, 1_000_000), fc.integer({ min: 1, max: 60 }), (amount, parts) => {
        const split = splitAmount(amount, parts);
        expect([split.length, sumInCents(split)]).toEqual([parts, toCents(amount)]);
        expect(toCents(Math.max(...split)) - toCents(Math.min(...split))).toBeLessThanOrEqual(1);
      }),
    );
    const weights = fc
      .array(decimals(3, 0, 1000), { minLength: 1, maxLength: 20 })
      .filter((all) => all.some((one) => one > 0));
    fc.assert(
      fc.property(decimals(2, -1_000_000, 1_000_000), weights, (amount, all) => {
        const sum = all.reduce((total, weight) => total + weight, 0);
        const split = splitAmount(amount, all);
        expect(sumInCents(split)).toBe(toCents(amount));
        split.forEach((part, i) => expect(Math.abs(part - (amount * (all[i] ?? 0)) / sum)).toBeLessThan(0.0101));
      }),
    );
  });

  it("a line that is split repeatedly still adds up to its total [PRICE-12]", () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(lineToPrice, rules, cuts, (line, by, percents) => {
        const { total, tax } = priceLine(line, by);
        let rest = { quantity: 1000, total, taxAmount: tax };
        const parts: (typeof rest)[] = [];
        for (const percent of percents) {
          const discounted = (rest.quantity * percent) / 100;
          const [part, left] = splitLine(rest, [discounted, rest.quantity - discounted]) as [typeof rest, typeof rest];
          parts.push(part);
          rest = left;
        }
        expect(sumInCents([...parts, rest].map((part) => part.total))).toBe(toCents(total));
        expect(sumInCents([...parts, rest].map((part) => part.taxAmount))).toBe(toCents(tax));
      }),
    );
  });

  it("subtotal and tax add up to the total, taxes to the tax, and lines and adjustments to the order [PRICE-13]", () => {
    const check = fc.array(lineToPrice, { maxLength: 8 });
    const adjustments = fc.array(fc.record({ amount: decimals(2, -100, 100) }), { maxLength: 3 });
    fc.assert(
      fc.property(check, rules, adjustments, (lines, by, extra) => {
        const order = priceOrder(lines, by, extra);
        for (const line of [...order.lines, { ...order, total: order.subtotal + order.tax }]) {
          expect(toCents(line.subtotal) + toCents(line.tax)).toBe(toCents(line.total));
          expect(sumInCents(line.taxes.map((tax) => tax.amount))).toBe(toCents(line.tax));
        }
        const stored = order.lines.map((line) => ({ total: line.total, taxAmount: line.tax }));
        const summed = sumOfLines(stored, [...extra, { amount: order.rounding }]);
        expect(summed.total).toBe(order.total);
        if (by.rounding === "line") expect(summed).toMatchObject({ subtotal: order.subtotal, tax: order.tax });
      }),
    );
  });

  it("a price with included taxes is the price plus its taxes on top [PRICE-2]", () => {
    fc.assert(
      fc.property(decimals(2, 0, 10_000), fc.integer({ min: 1, max: 50 }), (unitPrice, quantity) => {
        const included = priceLine({ unitPrice, quantity, taxes: [itbisIncluded] }, { orderType: "dine_in" });
        expect(toCents(included.total)).toBe(toCents(unitPrice) * quantity);
        const onTop = priceLine(
          { unitPrice: included.subtotal, quantity: 1, taxes: [itbis] },
          { orderType: "dine_in" },
        );
        expect(Math.abs(toCents(onTop.total) - toCents(included.total))).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("a refund has the amounts of the sale with the other sign [PRICE-8]", () => {
    fc.assert(
      fc.property(lineToPrice, rules, (line, by) => {
        const { subtotal, tax, total } = priceLine(line, by);
        const refund = priceLine({ ...line, quantity: -line.quantity }, by);
        expect([refund.subtotal + subtotal, refund.tax + tax, refund.total + total]).toEqual([0, 0, 0]);
      }),
    );
  });

  it("numbers that are no amounts are refused by their field name [PRICE-14]", () => {
    const price = (line: Partial<LineToPrice>) => () =>
      priceLine({ unitPrice: 1, quantity: 1, taxes: [], ...line }, { orderType: "takeout" });
    for (const bad of [NaN, Infinity, -Infinity]) {
      expect(price({ unitPrice: bad })).toThrow(/^unitPrice/);
      expect(price({ quantity: bad })).toThrow(/^quantity/);
      expect(price({ voidedQuantity: bad })).toThrow(/^voidedQuantity/);
      expect(price({ modifiers: [{ price: bad }] })).toThrow(/^modifiers\.price/);
      expect(price({ discount: { amount: bad } })).toThrow(/^discount\.amount/);
      expect(price({ discount: { percent: bad } })).toThrow(/^discount\.percent/);
      expect(price({ taxes: [{ ...itbis, rate: bad }] })).toThrow(/^rate/);
      expect(() => splitAmount(bad, 2)).toThrow(RangeError);
      expect(() => splitAmount(1, [1, bad])).toThrow(/^weight/);
    }
    expect(price({ discount: { percent: 101 } })).toThrow(/^discount\.percent/);
    expect(price({ discount: { percent: -1 } })).toThrow(/^discount\.percent/);
    expect(price({ discount: { amount: -1 } })).toThrow(/^discount\.amount/);
    expect(price({ quantity: 2, voidedQuantity: 2.5 })).toThrow(/^voidedQuantity/);
    expect(price({ unitPrice: 1_000_000_000, quantity: 2 })).toThrow(/more than 1000000000/);
    for (const parts of [0, -1, 1.5, [], [0, 0], [1, -1]]) expect(() => splitAmount(1, parts)).toThrow(RangeError);
    for (const small of [1e-7, 5e-324]) expect(price({ unitPrice: small })().total).toBe(0);
  });
});
