import { describe, expect, it } from "vitest";
import { cashProposals, settleCash } from "./cash.ts";

describe("cash", () => {
  it("cash pays the check first, then the tip, and the rest is change [TOUCH-73]", () => {
    expect(settleCash(100_000, { amount: 85_000, tip: 0 })).toEqual({ amount: 85_000, tip: 0, change: 15_000 });
    expect(settleCash(100_000, { amount: 85_000, tip: 8_500 })).toEqual({ amount: 85_000, tip: 8_500, change: 6_500 });
    expect(settleCash(90_000, { amount: 85_000, tip: 8_500 })).toEqual({ amount: 85_000, tip: 5_000, change: 0 });
    expect(settleCash(20_000, { amount: 85_000, tip: 8_500 })).toEqual({ amount: 20_000, tip: 0, change: 0 });
  });

  it("settling cash never loses a cent of what was tendered [TOUCH-73]", () => {
    for (const handed of [1, 20_000, 84_999, 85_000, 93_499, 93_500, 200_000]) {
      const { amount, tip, change } = settleCash(handed, { amount: 85_000, tip: 8_500 });
      expect(amount + tip + change, String(handed)).toBe(handed);
    }
  });

  it("cash proposals are the round amounts above the charge and the largest notes below it [TOUCH-73]", () => {
    const proposed = (amount: number, tip = 0) => cashProposals({ amount, tip }, "DOP").map((cents) => cents / 100);
    expect(proposed(144_200)).toEqual([500, 1000, 1450, 1500, 2000]);
    expect(proposed(12_345)).toEqual([150, 200, 500, 1000, 2000]);
    expect(proposed(28_800)).toEqual([200, 300, 500, 1000, 2000]);
    // The exact amount has its own button, so it is not proposed.
    expect(proposed(200_000)).toEqual([500, 1000]);
    expect(proposed(230_000, 5_000)).toEqual([1000, 2000, 2400, 2500, 3000, 4000]);
    expect(cashProposals({ amount: 2_000, tip: 0 }, "USD")).toEqual([1_000, 5_000, 10_000]);
  });
});
