import { expect, it } from "vitest";
import { clockWords } from "./terminal-order.ts";

it("[UI-15] tells a clock that is off by more than a few seconds", () => {
  expect(clockWords(null)).toBeNull();
  expect(clockWords(-4_000)).toEqual({ name: "clockGood" });
  expect(clockWords(93_000)).toEqual({ name: "clockAhead", ms: 93_000 });
  expect(clockWords(-93_000)).toEqual({ name: "clockBehind", ms: 93_000 });
});
