import { expect, it } from "vitest";
import { sumUnassigned } from "./sum-unassigned.ts";

it("late payments are summed with their tips and without refunds [UI-460]", () => {
  expect(
    sumUnassigned([
      { amount: 1000.1, tip: 100.2 },
      { amount: -250, tip: -25 },
    ]),
  ).toBe(825.3);
  expect(sumUnassigned([])).toBe(0);
});
