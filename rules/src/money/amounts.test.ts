import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equalsWithin, proportionOf, subtract, sum, toCents, toUnits, wholePercentOf } from "./amounts.ts";
import { exact, roundTo } from "./exact.ts";

const cents = fc.integer({ min: -10_000_000, max: 10_000_000 });

describe("money", () => {
  it("sums are exact to the cent, in any order [ORDER-15]", () => {
    fc.assert(
      fc.property(fc.array(cents, { maxLength: 50 }), (list) => {
        const total = list.reduce((a, b) => a + b, 0);
        expect(toCents(sum(list.map((each) => each / 100)))).toBe(total);
        expect(sum(list.map((each) => each / 100))).toBe(sum(list.toReversed().map((each) => each / 100)));
      }),
    );
  });

  it("subtracting an added amount restores the sum [ORDER-15]", () => {
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        expect(subtract(sum([a / 100, b / 100]), b / 100)).toBe(a / 100);
      }),
    );
  });

  it("amounts are compared in whole units: a difference of exactly the tolerance is within it [ORDER-53]", () => {
    expect(Math.abs(1.02 - 1) <= 0.02).toBe(false);
    expect(equalsWithin(1.02, 1, 0.02)).toBe(true);
    expect(equalsWithin(1.0201, 1, 0.02)).toBe(false);
    fc.assert(
      fc.property(cents, fc.integer({ min: -5, max: 5 }), (a, off) => {
        expect(equalsWithin(a / 100, (a + off) / 100, 0.02)).toBe(Math.abs(off) <= 2);
      }),
    );
  });

  it("amounts are exact to four places [ORDER-15]", () => {
    expect(toUnits(0.1 + 0.2)).toBe(toUnits(0.3));
    expect(sum([0.1, 0.2])).toBe(0.3);
    expect(subtract(0.3, 0.1)).toBe(0.2);
  });

  it.each([
    [1.005, 101],
    [-1.005, -101],
    [10.075, 1008],
    [1.0049999, 100],
    [-1.0049999, -100],
    [0.00495, 0],
    [0.005, 1],
    [-0.005, -1],
    [-0.001, 0],
    [0.285 * 100, 2850],
    [999_999_999.995, 100_000_000_000],
    [1e-7, 0],
  ])("%f is %i cents: rounded as it is written, halves away from zero [PRICE-80]", (amount, cents) => {
    expect(toCents(amount)).toBe(cents);
    expect(toCents(-amount)).toBe(cents === 0 ? 0 : -cents);
  });

  it("rounding equals that of the exact decimal, near halves and far from them [PRICE-80]", () => {
    const nearHalf = fc
      .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: -20, max: 20 }))
      .map(([whole, off]) => Number(`${whole}.005`) + off * 1e-9);
    const amount = fc.oneof(nearHalf, fc.double({ min: -1e9, max: 1e9, noNaN: true }));
    fc.assert(
      fc.property(amount, (each) => {
        expect(toCents(each)).toBe(Number(roundTo(2, exact(each)).numerator));
        expect(sum([each])).toBe(Number(roundTo(4, exact(each)).numerator) / 10_000);
      }),
      { numRuns: 5_000 },
    );
  });

  it("rounding refuses a value that is no number [PRICE-80]", () => {
    expect(() => toCents(Number.NaN)).toThrow(RangeError);
    expect(() => sum([1, Number.POSITIVE_INFINITY])).toThrow(RangeError);
  });

  it.each([
    [20.15, 1, 2, 10.08],
    [-20.15, 1, 2, -10.08],
    [100, 1, 3, 33.33],
    [0.35, 0.1, 0.7, 0.05],
    [12, 0, 5, 0],
  ])("of %f, the part %f of %f is %f [PRICE-81]", (amount, part, whole, expected) => {
    expect(proportionOf(amount, part, whole)).toBe(expected);
  });

  it.each([
    [50, 500, 10],
    [33.34, 333.35, 10],
    [50.4, 500, null],
    [0, 500, null],
    [5, 0, null],
  ])("%f off %f is the whole percentage %s [UI-210]", (amount, base, percent) => {
    expect(wholePercentOf(amount, base)).toBe(percent);
  });
});
