import { expect, it } from "vitest";
import { isStillMeant, openSheet } from "./open-sheet.ts";

it("a sheet closes with its check, and one about lines with the last of them [TOUCH-437]", () => {
  const details = openSheet("details", "A", 0);
  expect([isStillMeant(details, "A", 0), isStillMeant(details, "B", 0), isStillMeant(details, undefined, 0)]).toEqual([
    true,
    false,
    false,
  ]);
  const discount = openSheet("discount", "A", 1);
  expect([isStillMeant(discount, "A", 1), isStillMeant(discount, "A", 0)]).toEqual([true, false]);
  // A discount on the whole check, opened from its menu.
  expect(isStillMeant(openSheet("discount", "A", 0), "A", 0)).toBe(true);
  expect(isStillMeant(openSheet("split", "A", 2), "A", 0)).toBe(true);
});
