import { expect, it } from "vitest";
import { sum } from "../money/amounts.ts";
import { expectedByMethod, reversed, moneyOf } from "./shift-money.ts";

it("the expected pesos are float, moves, sales and tips less foreign cash [OP-581]", () => {
  const dollars = { currency: "USD", amount: 60, rate: 60 };
  const payments = [
    moneyOf({ methodId: 1, amount: 3_150, tip: 50, change: 400, foreign: dollars }),
    moneyOf({ methodId: 1, amount: 665.6, tip: 50, change: 284.4 }),
    moneyOf({ methodId: 2, amount: 889.6, tip: 100 }),
  ];
  const move = { kind: "drop" as const, amount: 650 };
  const drawer = { cashMethodId: "1", cash: new Set(["1"]), float: 2_000, floats: [], moves: [move] };
  const [pesos, inDollars, card] = expectedByMethod(payments, drawer);
  expect(pesos).toMatchObject({ sales: 3_815.6, tips: 100, foreign: 3_600, expected: 1_665.6 });
  expect(sum([2_000, -650, 3_815.6, 100, -3_600])).toBe(1_665.6);
  expect([inDollars, card]).toMatchObject([{ sales: 60, expected: 60 }, { expected: 989.6 }]);
  expect([inDollars, card].map((entry) => entry?.foreign)).toEqual([undefined, undefined]);

  const [rest] = expectedByMethod([...payments, reversed(payments[0]!)], drawer);
  expect(rest).toMatchObject({ sales: 665.6, foreign: 0, expected: 2_065.6 });
});
