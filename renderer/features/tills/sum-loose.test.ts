import { expect, it } from "vitest";
import { sumLoose } from "./sum-loose.ts";

it("sums what came late with its tips, and without what was given back [UI-460]", () => {
  expect(
    sumLoose([
      { amount: 1000.1, tip: 100.2 },
      { amount: -250, tip: -25 },
    ]),
  ).toBe(825.3);
  expect(sumLoose([])).toBe(0);
});
