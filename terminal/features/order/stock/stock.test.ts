import { describe, expect, it } from "vitest";
import { isSoldOut, nextMorning, shortLines } from "./stock.ts";

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

  it("[TOUCH-358] what several lines ask for of a dish counts together, and the first of them has what is left", () => {
    const lineOf = (id: string, quantity: number, productId: number | string = 1) => ({ id, productId, quantity });
    const lines = [lineOf("a", 2), lineOf("b", 2, "1"), lineOf("c", 0.5), lineOf("d", 1, 2), lineOf("e", 1, 3)];
    const said = { left: null, until: null, updatedAt: "" };
    const states = [
      { ...said, productId: 1, state: "limited" as const, left: 3 },
      { ...said, productId: "2", state: "out" as const },
      { ...said, productId: 3, state: "available" as const },
    ];
    const short = shortLines(lines, states).map(({ line, left }) => [line.id, left]);
    // Half a dish is taken by what asks for it: nobody can have the other half.
    expect(short).toEqual([
      ["b", 0],
      ["d", 0],
    ]);
    expect(shortLines([{ ...lineOf("a", 3), sentQuantity: 2 }, lineOf("b", 2)], states)).toEqual([]);
    const twice = shortLines([lineOf("a", 4), lineOf("b", 4)], states);
    expect(twice.map(({ left }) => left)).toEqual([3, 0]);
  });
});
