import { expect, it } from "vitest";
import { hasOpenKitchenWork } from "./kitchen-work.ts";

it("sent dishes neither prepared nor cancelled count as open kitchen work [REST-125]", () => {
  const line = { id: "a", productId: 1, quantity: 3, sentQuantity: 2, total: 100 };
  const hasWork = (more: object) => hasOpenKitchenWork({ lines: [{ ...line, ...more }] });
  expect(hasWork({ preparedQuantity: 1 })).toBe(true);
  // The voided unit was never sent.
  expect(hasWork({ preparedQuantity: 1, voidedQuantity: 1 })).toBe(true);
  expect(hasWork({ preparedQuantity: 2, voidedQuantity: 1 })).toBe(false);
  expect(hasWork({ preparedQuantity: 0, voided: true })).toBe(false);
});
