import { expect, it } from "vitest";
import { hasSubject, openSheet } from "./open-sheet.ts";

it("a sheet closes with its check, and one about lines with the last of them [TOUCH-437]", () => {
  const details = openSheet("details", "A", 0);
  expect([hasSubject(details, "A", 0), hasSubject(details, "B", 0), hasSubject(details, undefined, 0)]).toEqual([
    true,
    false,
    false,
  ]);
  const discount = openSheet("discount", "A", 1);
  expect([hasSubject(discount, "A", 1), hasSubject(discount, "A", 0)]).toEqual([true, false]);
  // A discount on the whole check, opened from its menu.
  expect(hasSubject(openSheet("discount", "A", 0), "A", 0)).toBe(true);
  expect(hasSubject(openSheet("split", "A", 2), "A", 0)).toBe(true);
});
