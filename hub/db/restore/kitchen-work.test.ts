import { expect, it } from "vitest";
import { hasKitchenWorkLeft } from "./kitchen-work.ts";

it("counts as work left what was sent and is neither prepared nor cancelled, whatever is void of the rest [REST-125]", () => {
  const line = { id: "a", productId: 1, quantity: 3, sentQuantity: 2, total: 100 };
  const isLeft = (more: object) => hasKitchenWorkLeft({ lines: [{ ...line, ...more }] });
  expect(isLeft({ preparedQuantity: 1 })).toBe(true);
  // The voided unit was never sent.
  expect(isLeft({ preparedQuantity: 1, voidedQuantity: 1 })).toBe(true);
  expect(isLeft({ preparedQuantity: 2, voidedQuantity: 1 })).toBe(false);
  expect(isLeft({ preparedQuantity: 0, voided: true })).toBe(false);
});
