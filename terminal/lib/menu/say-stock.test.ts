import { expect, it } from "vitest";
import { saidOf } from "./say-stock.ts";

it("[TOUCH-18] takes a dish that is said to be out back to what was left of it, or to being there", () => {
  const counted = { productId: 7, state: "limited" as const, left: 5, until: null, updatedAt: "" };
  expect(saidOf([counted], "7")).toEqual({ productId: "7", state: "limited", left: 5, until: null });
  expect(saidOf([counted], 8)).toEqual({ productId: 8, state: "available" });
});
