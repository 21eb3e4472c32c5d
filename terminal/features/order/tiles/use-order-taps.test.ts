import { expect, it } from "vitest";
import { testMenu } from "../../../test/test-menu.ts";
import { isForAnother } from "./use-order-taps.ts";

it("the choices of a dish close with their check, so that the next check does not get the dish [TOUCH-437]", () => {
  const product = testMenu().product(103);
  if (product === undefined) throw new Error("no coffee");
  const sheet = { name: "choice", product, quantity: 1 } as const;
  const check = (posReference: string) => ({ posReference, snapshot: { lines: [] } });
  expect(isForAnother({ sheet, of: "A" }, check("A"))).toBe(false);
  expect(isForAnother({ sheet, of: "A" }, check("B"))).toBe(true);
  expect(isForAnother({ sheet, of: "A" }, undefined)).toBe(true);
  // The table had no check when the sheet opened; it now has one, begun on another terminal.
  expect(isForAnother({ sheet, of: undefined }, check("B"))).toBe(false);
  expect(isForAnother({ sheet: { name: "check" }, of: "A" }, check("B"))).toBe(false);
});

it("the choices of a line close when others have removed, moved or voided it [TOUCH-437]", () => {
  const product = testMenu().product(103);
  if (product === undefined) throw new Error("no coffee");
  const line = { id: "a", productId: 103, quantity: 2 };
  const opened = { sheet: { name: "choice", product, line, quantity: 2 } as const, of: "A" };
  const isClosedWith = (lines: (typeof line & { voided?: boolean })[]) =>
    isForAnother(opened, { posReference: "A", snapshot: { lines } });
  expect([isClosedWith([line]), isClosedWith([{ ...line, quantity: 3 }])]).toEqual([false, false]);
  expect([isClosedWith([]), isClosedWith([{ ...line, voided: true }])]).toEqual([true, true]);
});
