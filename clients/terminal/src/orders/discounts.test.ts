import { describe, expect, it } from "vitest";
import { changeOrderType } from "./change-order-type.ts";
import { discountCheck, discountLine, withoutDiscounts } from "./discounts.ts";
import { addLine } from "./edit-content.ts";
import { lineForProduct } from "./line-for-product.ts";
import type { OrderContent } from "./order-content.ts";
import type { PricedMenu } from "./reprice-line.ts";

const menu = {
  products: [{ id: 101, taxIds: [1, 2] }],
  taxes: [
    { id: 1, name: "ITBIS", rate: 18, included: false, orderTypes: ["dine_in", "takeout"] },
    { id: 2, name: "Propina legal", rate: 10, included: false, orderTypes: ["dine_in"] },
  ],
} satisfies PricedMenu;

/** A check with one dish of 200.00 before taxes. */
function dinner(): OrderContent {
  const product = { id: 101, name: "Sancocho", price: 200, categoryId: 1, taxIds: [1, 2] };
  const line = lineForProduct(product, menu, { lineId: "a", orderType: "dine_in" });
  return addLine({ orderType: "dine_in", tableId: 5, lines: [] }, line);
}

describe("discounts", () => {
  it("a line's discount is deducted before its taxes, and removed completely [TOUCH-47]", () => {
    const off = discountLine(dinner(), "a", { percent: 10 }, menu);
    expect(off).toMatchObject({ lines: [{ discount: { percent: 10 }, total: 230.4 }], totals: { total: 230.4 } });
    expect(discountLine(off, "a", null, menu)).toEqual(dinner());
  });

  it("the reason of a line's discount is stored and removed with it [TOUCH-47]", () => {
    const off = discountLine(dinner(), "a", { percent: 10 }, menu, "cortesía");
    expect(off.lines).toMatchObject([{ discount: { percent: 10 }, discountReason: "cortesía" }]);
    const other = discountLine(off, "a", { percent: 5 }, menu, "queja").lines;
    expect(other).toMatchObject([{ discount: { percent: 5 }, discountReason: "queja" }]);
    expect(discountLine(off, "a", null, menu)).toEqual(dinner());
  });

  it("a discount of the whole check never exceeds what the check costs [TOUCH-47]", () => {
    const off = discountCheck(dinner(), { percent: 10 }, "cortesía");
    expect(off).toMatchObject({
      adjustments: [{ kind: "discount", amount: -25.6, reason: "cortesía" }],
      totals: { total: 230.4 },
    });
    expect(discountCheck(off, { amount: 1_000 }, "queja").totals).toMatchObject({ total: 0 });
    expect(withoutDiscounts(off).totals).toMatchObject({ total: 256 });
    expect(discountCheck(dinner(), { amount: 0 }, "nada")).toEqual(dinner());
    expect(discountCheck(dinner(), { amount: 10.005 }, "queja").adjustments).toMatchObject([{ amount: -10.01 }]);
  });

  it("a discounted dish without table has no legal tip [TOUCH-48]", () => {
    const takeout = changeOrderType(dinner(), { orderType: "takeout", tableId: null }, menu);
    expect(takeout).toMatchObject({ tableId: null, lines: [{ total: 236, taxIds: ["1"] }], totals: { total: 236 } });
    expect(changeOrderType(takeout, { orderType: "dine_in", tableId: 5 }, menu).totals).toEqual(dinner().totals);
  });
});
