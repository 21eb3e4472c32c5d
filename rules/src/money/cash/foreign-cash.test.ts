import { expect, it } from "vitest";
import { foreignValue } from "./foreign-cash.ts";
import { foreignProposals } from "./foreign-proposals.ts";

it.each([
  [{ amount: 20, rate: 58.75 }, 5, 1175],
  [{ amount: 10, rate: 58.75 }, 5, 590],
  [{ amount: 10, rate: 58.74 }, 5, 585],
  [{ amount: 10, rate: 58.75 }, 1, 588],
  [{ amount: 0.1, rate: 58.75 }, 0, 5.88],
  [{ amount: 3, rate: 60.15 }, 0.5, 180.5],
])("foreign cash is valued to the nearest multiple: %o in steps of %d [MONEY-130]", (cash, rounding, value) => {
  expect(foreignValue(cash, { rounding })).toBe(value);
});

it("foreign proposals are the whole units that pay an amount, and the notes above and below [TOUCH-310]", () => {
  const dollars = { code: "USD", rate: 60, rounding: 1 };
  expect(foreignProposals({ amount: 100_000, tip: 0 }, dollars)).toEqual([10_00, 17_00, 20_00, 50_00, 100_00]);
  expect(foreignProposals({ amount: 120_000, tip: 0 }, dollars)).toEqual([10_00, 20_00, 50_00, 100_00]);
  expect(foreignProposals({ amount: 100, tip: 0 }, dollars)).toEqual([1_00, 5_00, 10_00, 20_00, 50_00, 100_00]);
});
