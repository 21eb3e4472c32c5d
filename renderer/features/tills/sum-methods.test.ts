import type { ShiftMethod } from "@comanda/protocol";
import { expect, it } from "vitest";
import { sumMethods } from "./sum-methods.ts";

it("methods and currencies are added up over shifts, without a counted sum if one shift has none [UI-460]", () => {
  const cash: ShiftMethod = {
    methodId: "1",
    sales: 100.1,
    tips: 5,
    refunded: 10,
    expected: 600,
    counted: 590,
    difference: -10,
  };
  const dollars: ShiftMethod = { ...cash, currency: "USD", sales: 20, tips: 0, refunded: 0, expected: 20 };
  const card: ShiftMethod = { ...cash, methodId: "2", sales: 50, counted: 55, difference: 0 };
  const notCounted: ShiftMethod = { ...card, sales: 7, counted: null, difference: null };
  expect(
    sumMethods([
      [cash, dollars, card],
      [{ ...cash, sales: 0.2, difference: 4, counted: 604 }, notCounted],
    ]),
  ).toEqual([
    { methodId: "1", sales: 100.3, tips: 10, refunded: 20, expected: 1_200, counted: 1_194, difference: -6 },
    dollars,
    { methodId: "2", sales: 57, tips: 10, refunded: 20, expected: 1_200, counted: null, difference: null },
  ]);
  expect(sumMethods([])).toEqual([]);
  expect(sumMethods([[cash], [{ ...cash, foreign: 60 }]])).toMatchObject([{ foreign: 60 }]);
  const other: ShiftMethod = { ...notCounted, methodId: "1", expected: 0, withCash: true };
  expect(sumMethods([[cash], [other]])).toMatchObject([{ sales: 107.1, expected: 600, counted: 590, difference: -10 }]);
  expect(sumMethods([[other], [other]])).toMatchObject([
    { sales: 14, counted: null, difference: null, withCash: true },
  ]);
});
