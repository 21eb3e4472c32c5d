import { expect, it } from "vitest";
import { testMenu } from "../../../test/test-menu.ts";
import { isForAnother } from "./use-order-taps.ts";

it("[TOUCH-437] the choices of a dish close with the check that it was meant for: the next one does not get it", () => {
  const product = testMenu().product(103);
  if (product === undefined) throw new Error("no coffee");
  const sheet = { name: "choice", product, quantity: 1 } as const;
  expect([isForAnother({ sheet, of: "A" }, "A"), isForAnother({ sheet, of: "A" }, "B")]).toEqual([false, true]);
  expect(isForAnother({ sheet, of: "A" }, undefined)).toBe(true);
  // The table had no check: the one that others have begun meanwhile is its check now.
  expect(isForAnother({ sheet, of: undefined }, "B")).toBe(false);
  expect(isForAnother({ sheet: { name: "check" }, of: "A" }, "B")).toBe(false);
});
