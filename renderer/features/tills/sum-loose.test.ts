import { expect, it } from "vitest";
import { sumLoose } from "./sum-loose.ts";

it("late payments are summed with their tips and without refunds [UI-460]", () => {
  expect(
    sumLoose([
      { amount: 1000.1, tip: 100.2 },
      { amount: -250, tip: -25 },
    ]),
  ).toBe(825.3);
  expect(sumLoose([])).toBe(0);
});
