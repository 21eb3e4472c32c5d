import { describe, expect, it } from "vitest";
import { isSoldOut, nextMorning } from "./stock.ts";

describe("stock", () => {
  it("[TOUCH-18] until tomorrow ends on the next morning, also for who works past midnight", () => {
    const at = (hour: number) => new Date(2026, 10, 22, hour, 30).getTime();
    expect(new Date(nextMorning(at(20)))).toEqual(new Date(2026, 10, 23, 5));
    expect(new Date(nextMorning(at(1)))).toEqual(new Date(2026, 10, 22, 5));
  });

  it("[TOUCH-18] what is counted down to nothing is sold out", () => {
    const state = { productId: 1, state: "limited" as const, left: 1, until: null, updatedAt: "" };
    expect([isSoldOut(undefined), isSoldOut(state), isSoldOut({ ...state, left: 0 })]).toEqual([false, false, true]);
  });
});
