import { expect, it } from "vitest";
import { sizeText } from "./disk-space.ts";

it("space is shown in units that people use, also in the program's sentences [UI-220]", () => {
  const MB = 1024 * 1024;
  expect([1, 256 * MB, 1200 * MB, 2048 * MB, 120 * 1024 * MB].map(sizeText)).toEqual([
    "1 MB",
    "256 MB",
    "1.2 GB",
    "2 GB",
    "120 GB",
  ]);
});
