import { describe, expect, it } from "vitest";
import { tipOf, tippedAmount } from "./tip.ts";

const all = { before: [] };
const tender = (tenderId: string, amount: number, tip = 0) => ({ tenderId, amount, tip });

describe("tip", () => {
  it("a tip is added to the payment, as a percentage or an amount [TOUCH-75]", () => {
    expect(tipOf(null, 85_000, [])).toBe(0);
    expect(tipOf({ percent: 10, ...all }, 85_000, [])).toBe(8_500);
    expect(tipOf({ percent: 5, ...all }, 33_33, [])).toBe(1_67);
    expect(tipOf({ cents: 5_000, ...all }, 85_000, [])).toBe(5_000);
  });

  it("a percentage tip applies only to each guest's own part [TOUCH-75]", () => {
    const choice = { percent: 10, before: ["ana"] };
    expect(tipOf(choice, 42_500, [tender("ana", 425)])).toBe(4_250);
  });

  it("the tipped amount is everything paid since the tip was chosen [TOUCH-75]", () => {
    const byNote = [tender("ana", 500)];
    expect(tippedAmount(null, 16_560, byNote)).toBe(16_560);
    expect(tippedAmount({ percent: 10, ...all }, 16_560, byNote)).toBe(66_560);
    expect(tippedAmount({ percent: 10, before: ["ana"] }, 16_560, byNote)).toBe(16_560);
    expect(tippedAmount({ cents: 5_000, ...all }, 16_560, byNote)).toBe(16_560);
  });

  it("tips of several payments by one guest add up [TOUCH-75]", () => {
    const choice = { percent: 10, ...all };
    expect(tipOf(choice, 35_000, [tender("note", 500)])).toBe(8_500);
    expect(tipOf(choice, 35_000, [tender("note", 500, 50)])).toBe(3_500);
    expect(tipOf({ cents: 5_000, ...all }, 35_000, [tender("note", 500, 50)])).toBe(0);
  });
});
