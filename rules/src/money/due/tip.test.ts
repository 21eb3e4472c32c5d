import { describe, expect, it } from "vitest";
import { tipOf, tippedAmount } from "./tip.ts";

const nothing = { paid: 0, tipped: 0 };

describe("tip", () => {
  it("[TOUCH-75] is on top of what is paid, as a share or an amount", () => {
    expect(tipOf(null, 85_000, nothing)).toBe(0);
    expect(tipOf({ percent: 10, ...nothing }, 85_000, nothing)).toBe(8_500);
    expect(tipOf({ percent: 5, ...nothing }, 33_33, nothing)).toBe(1_67);
    expect(tipOf({ cents: 5_000, tipped: 0 }, 85_000, nothing)).toBe(5_000);
  });

  it("[TOUCH-75] asks each guest for their own part only", () => {
    const choice = { percent: 10, paid: 42_500, tipped: 0 };
    expect(tipOf(choice, 42_500, { paid: 42_500, tipped: 0 })).toBe(4_250);
  });

  it("[TOUCH-75] says what a tip is a share of: all that is paid since it was chosen", () => {
    const byNote = { paid: 50_000, tipped: 0 };
    expect(tippedAmount(null, 16_560, byNote)).toBe(16_560);
    expect(tippedAmount({ percent: 10, ...nothing }, 16_560, byNote)).toBe(66_560);
    expect(tippedAmount({ percent: 10, ...byNote }, 16_560, byNote)).toBe(16_560);
    expect(tippedAmount({ cents: 5_000, tipped: 0 }, 16_560, byNote)).toBe(16_560);
  });

  it("[TOUCH-75] adds up over several payments of one guest", () => {
    const choice = { percent: 10, ...nothing };
    const byNote = { paid: 50_000, tipped: 0 };
    expect(tipOf(choice, 35_000, byNote)).toBe(8_500);
    expect(tipOf(choice, 35_000, { paid: 50_000, tipped: 5_000 })).toBe(3_500);
    expect(tipOf({ cents: 5_000, tipped: 0 }, 35_000, { paid: 50_000, tipped: 5_000 })).toBe(0);
  });
});
