import { expect, it } from "vitest";
import { clockDrift } from "./terminal-order.ts";

it("[UI-15] reports a clock that is off by more than a few seconds", () => {
  expect(clockDrift(null)).toBeNull();
  expect(clockDrift(-4_000)).toEqual({ name: "clockGood" });
  expect(clockDrift(93_000)).toEqual({ name: "clockAhead", ms: 93_000 });
  expect(clockDrift(-93_000)).toEqual({ name: "clockBehind", ms: 93_000 });
});
