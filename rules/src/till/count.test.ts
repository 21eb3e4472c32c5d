import { expect, it } from "vitest";
import { isWithinTolerance } from "./count.ts";

it("foreign cash is compared in pesos, and without a rate no difference is tolerated [TILL-20]", () => {
  const dollars = { methodId: "1", currency: "USD", sales: 50, tips: 0, refunded: 0, expected: 50 };
  const isWithin = (counted: number, rates: { code: string; rate: number }[]) =>
    isWithinTolerance([{ ...dollars, counted, difference: counted - 50 }], 100, rates);
  const usd = [{ code: "USD", rate: 50 }];
  expect([isWithin(48, usd), isWithin(47, usd)]).toEqual([true, false]);
  expect([isWithin(50, []), isWithin(49, [])]).toEqual([true, false]);
});
