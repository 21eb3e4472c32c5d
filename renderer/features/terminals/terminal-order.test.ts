import { expect, it } from "vitest";
import { clockDrift, groupLookAlikes } from "./terminal-order.ts";

it("a clock that is off by more than a few seconds is reported [UI-15]", () => {
  expect(clockDrift(null)).toBeNull();
  expect(clockDrift(-4_000)).toEqual({ name: "clockGood" });
  expect(clockDrift(93_000)).toEqual({ name: "clockAhead", ms: 93_000 });
  expect(clockDrift(-93_000)).toEqual({ name: "clockBehind", ms: 93_000 });
});

it("names of terminals that are easily confused are found [UI-402]", () => {
  expect(groupLookAlikes(["pos-1", "barra", "POS-1", "caja.2", "Tillo", "pos-2", "till0", "caja_2"])).toEqual([
    ["POS-1", "pos-1"],
    ["caja.2", "caja_2"],
    ["Tillo", "till0"],
  ]);
  expect(groupLookAlikes(["pos-1", "pos-11", "pos1", "poz-1"])).toEqual([]);
});
