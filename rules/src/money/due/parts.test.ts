import { describe, expect, it } from "vitest";
import { partsOf } from "./parts.ts";

describe("parts of a check", () => {
  it("equal parts add up to the total to the cent, the largest remainder first [TOUCH-74]", () => {
    expect(partsOf(100_00, { count: 3 }, 0).map(({ amount }) => amount)).toEqual([33_34, 33_33, 33_33]);
    for (const count of [2, 3, 7, 30]) {
      const parts = partsOf(98_765, { count }, 0);
      expect(parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(98_765);
    }
  });

  it("payments fill the parts one after the other [TOUCH-74]", () => {
    expect(partsOf(100_00, { count: 2 }, 0).map(({ left }) => left)).toEqual([50_00, 50_00]);
    expect(partsOf(100_00, { count: 2 }, 20_00).map(({ left }) => left)).toEqual([30_00, 50_00]);
    expect(partsOf(100_00, { count: 2 }, 50_00).map(({ left }) => left)).toEqual([0, 50_00]);
    expect(partsOf(100_00, { count: 2 }, 100_00).map(({ left }) => left)).toEqual([0, 0]);
  });

  it("an amount and the rest add up to the total to the cent [TOUCH-60]", () => {
    const amounts = (total: number, first: number, paid = 0) => partsOf(total, { first }, paid).map(({ left }) => left);
    expect(amounts(1_288_40, 500_00)).toEqual([500_00, 788_40]);
    expect(amounts(1_288_40, 500_00, 200_00)).toEqual([300_00, 788_40]);
    expect(amounts(1_288_40, 500_00, 500_00)).toEqual([0, 788_40]);
    expect(amounts(400_00, 500_00)).toEqual([400_00, 0]);
  });
});
