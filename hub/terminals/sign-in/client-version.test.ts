import { expect, it } from "vitest";
import { isTooOld } from "./client-version.ts";

it.each([
  ["1.1.9", "1.2.0"],
  ["1.9.0", "1.10.0"],
  ["v1.1.0", "1.2.0"],
  ["1.2.0-beta.1", "1.2.0"],
  ["1.1", "1.2.0"],
  ["1", "1.2.0"],
  ["1.1.9", "1.2"],
  ["v1.9.9", "v2"],
  ["the newest", "1.2.0"],
  ["2.4.9.9", "1.2.0"],
])("client version %s is too old where %s is required [TERM-79]", (received, minimum) => {
  expect(isTooOld(received, minimum)).toBe(true);
});

it.each([
  ["1.2.0", "1.2.0"],
  ["1.10.0", "1.9.0"],
  ["1.2.0+build.7", "1.2.0"],
  ["2.0.0", "v1.2.0"],
  [undefined, "1.2.0"],
  ["", "1.2.0"],
  ["1.2", "1.2.0"],
  ["1.2.0", "1.2"],
  ["2", "1.9.9"],
  ["the newest", "soon"],
  ["1.1.0", null],
  ["1.1.0", ""],
  ["1.1.0", "soon"],
  ["1.1.0", "9999999999999999.0.0"],
])("client version %j is not too old where %j is required [TERM-79]", (received, minimum) => {
  expect(isTooOld(received, minimum)).toBe(false);
});
