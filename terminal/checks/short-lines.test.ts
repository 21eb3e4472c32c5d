import { expect, it } from "vitest";
import { shortLines } from "./short-lines.ts";

it("lines of one dish share its stock, and the first line takes what is left [TOUCH-358]", () => {
  const lineOf = (id: string, quantity: number, productId: number | string = 1) => ({ id, productId, quantity });
  const lines = [lineOf("a", 2), lineOf("b", 2, "1"), lineOf("c", 0.5), lineOf("d", 1, 2), lineOf("e", 1, 3)];
  const common = { left: null, until: null, updatedAt: "" };
  const states = [
    { ...common, productId: 1, state: "limited" as const, left: 3 },
    { ...common, productId: "2", state: "out" as const },
    { ...common, productId: 3, state: "available" as const },
  ];
  const short = shortLines(lines, states).map(({ line, left }) => [line.id, left]);
  // The half is taken by the line that orders it, and the other half is of no use.
  expect(short).toEqual([
    ["b", 0],
    ["d", 0],
  ]);
  expect(shortLines([{ ...lineOf("a", 3), sentQuantity: 2 }, lineOf("b", 2)], states)).toEqual([]);
  const twice = shortLines([lineOf("a", 4), lineOf("b", 4)], states);
  expect(twice.map(({ left }) => left)).toEqual([3, 0]);
});
