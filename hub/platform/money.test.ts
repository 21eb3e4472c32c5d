import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equalsWithin, subtract, sum, toCents, toUnits } from "./money.ts";

const cents = fc.integer({ min: -10_000_000, max: 10_000_000 });

describe("money", () => {
  it("[ORDER-15] sums cents exactly, in any order", () => {
    fc.assert(
      fc.property(fc.array(cents, { maxLength: 50 }), (list) => {
        const total = list.reduce((a, b) => a + b, 0);
        expect(toCents(sum(list.map((each) => each / 100)))).toBe(total);
        expect(sum(list.map((each) => each / 100))).toBe(sum(list.toReversed().map((each) => each / 100)));
      }),
    );
  });

  it("[ORDER-15] subtracts what was added", () => {
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        expect(subtract(sum([a / 100, b / 100]), b / 100)).toBe(a / 100);
      }),
    );
  });

  it("[ORDER-53] compares in whole units: exactly the tolerance is within it", () => {
    expect(Math.abs(1.02 - 1) <= 0.02).toBe(false);
    expect(equalsWithin(1.02, 1, 0.02)).toBe(true);
    expect(equalsWithin(1.0201, 1, 0.02)).toBe(false);
    fc.assert(
      fc.property(cents, fc.integer({ min: -5, max: 5 }), (a, off) => {
        expect(equalsWithin(a / 100, (a + off) / 100, 0.02)).toBe(Math.abs(off) <= 2);
      }),
    );
  });

  it("[ORDER-15] knows amounts to four places", () => {
    expect(toUnits(0.1 + 0.2)).toBe(toUnits(0.3));
    expect(sum([0.1, 0.2])).toBe(0.3);
    expect(subtract(0.3, 0.1)).toBe(0.2);
  });
});
