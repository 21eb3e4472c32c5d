import { expect, it } from "vitest";
import { movedIndex } from "./moved-index.ts";

const results = (...marked: boolean[]) => marked.map((isMarked) => ({ hasAttribute: () => isMarked }));

it("a result that the user moved to stays selected at its new index, else the first one is selected [UI-248]", () => {
  expect(movedIndex(results(false, true), 1)).toBe(1);
  expect(movedIndex(results(false, false, false, true), 1)).toBe(3);
  expect(movedIndex(results(true, false), 2)).toBe(0);
  expect(movedIndex(results(false, false), 1)).toBeNull();
  expect(movedIndex(results(false, true), 0)).toBeNull();
});
