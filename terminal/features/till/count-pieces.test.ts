import { expect, it } from "vitest";
import { amountOfPieces, piecesOf, typePieces, type TypedPieces } from "./count-pieces.ts";

it("the typed numbers of notes and coins add up [TILL-41]", () => {
  const keys: [number, string][] = [
    [2000, "1"],
    [2000, "2"],
    [25, "3"],
    [1, "9"],
    [1, "erase"],
    [500, "0"],
  ];
  const typed = keys.reduce<TypedPieces>((soFar, [value, key]) => typePieces(soFar, value, key), {});
  expect(piecesOf(typed)).toEqual([
    { value: 2000, count: 12 },
    { value: 25, count: 3 },
  ]);
  expect(amountOfPieces(typed)).toBe(24_075);
});
