import { expect, it } from "vitest";
import { keptPlace } from "./kept-place.ts";

const results = (...marked: boolean[]) => marked.map((isMarked) => ({ hasAttribute: () => isMarked }));

it("keeps selected what somebody has gone on to, in its new place, and else begins with the first [UI-248]", () => {
  expect(keptPlace(results(false, true), 1)).toBe(1);
  expect(keptPlace(results(false, false, false, true), 1)).toBe(3);
  expect(keptPlace(results(true, false), 2)).toBe(0);
  expect(keptPlace(results(false, false), 1)).toBeNull();
  expect(keptPlace(results(false, true), 0)).toBeNull();
});
