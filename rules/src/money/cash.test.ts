import { describe, expect, it } from "vitest";
import { cashProposals, settleCash } from "./cash.ts";

describe("cash", () => {
  it("[TOUCH-73] pays the check first, then the tip, and gives back the rest", () => {
    expect(settleCash(100_000, { amount: 85_000, tip: 0 })).toEqual({ amount: 85_000, tip: 0, change: 15_000 });
    expect(settleCash(100_000, { amount: 85_000, tip: 8_500 })).toEqual({ amount: 85_000, tip: 8_500, change: 6_500 });
    expect(settleCash(90_000, { amount: 85_000, tip: 8_500 })).toEqual({ amount: 85_000, tip: 5_000, change: 0 });
    expect(settleCash(20_000, { amount: 85_000, tip: 8_500 })).toEqual({ amount: 20_000, tip: 0, change: 0 });
  });

  it("[TOUCH-73] never loses a cent of what was handed over", () => {
    for (const handed of [1, 20_000, 84_999, 85_000, 93_499, 93_500, 200_000]) {
      const { amount, tip, change } = settleCash(handed, { amount: 85_000, tip: 8_500 });
      expect(amount + tip + change, String(handed)).toBe(handed);
    }
  });

  it("[TOUCH-73] offers the house's notes at fixed places, and above the largest what notes add up to", () => {
    expect(cashProposals({ amount: 12_345, tip: 0 }, "DOP")).toEqual([20_000, 50_000, 100_000, 200_000]);
    expect(cashProposals({ amount: 200_000, tip: 0 }, "DOP")).toEqual([20_000, 50_000, 100_000, 200_000]);
    expect(cashProposals({ amount: 230_000, tip: 5_000 }, "DOP")).toEqual([
      20_000, 50_000, 100_000, 200_000, 250_000, 300_000, 400_000,
    ]);
    expect(cashProposals({ amount: 2_000, tip: 0 }, "USD")).toEqual([1_000, 2_000, 5_000, 10_000]);
  });
});
