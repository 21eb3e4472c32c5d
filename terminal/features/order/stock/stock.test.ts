import { describe, expect, it } from "vitest";
import { isSoldOut } from "./stock.ts";

describe("stock", () => {
  it("a product counted down to zero is sold out [TOUCH-18]", () => {
    const state = { productId: 1, state: "limited" as const, left: 1, until: null, updatedAt: "" };
    expect([isSoldOut(undefined), isSoldOut(state), isSoldOut({ ...state, left: 0 })]).toEqual([false, false, true]);
  });
});
