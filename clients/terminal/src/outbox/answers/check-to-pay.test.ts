import { expect, it } from "vitest";
import { content, line, storedOrder } from "../../../test/builders.ts";
import type { OrderLine } from "../../orders/order-content.ts";
import type { Conflict } from "../queue/present-conflict.ts";
import { checkToPay } from "./check-to-pay.ts";

const steak = line("steak", { total: 200 });
const wine = line("wine", { quantity: 2, total: 100 });
const glass = line("glass", { total: 50, splitOf: "wine", splitFrom: "A" });

const check = (posReference: string, lines: OrderLine[], fields: object = {}) => {
  const stored = storedOrder(posReference, 2, content(lines));
  return { ...stored, snapshot: { ...stored.snapshot, ...fields } };
};

/** Returns the check that gets the payment for check A with these lines. `hub` is the hub's current check A. */
function placeOf(seen: OrderLine[], hub: ReturnType<typeof check> | null, checks: ReturnType<typeof check>[]) {
  const intent = {
    type: "ORDER_TENDER",
    posReference: "A",
    seen: content(seen),
    seenVersion: 1,
    tenderId: "t",
    methodId: 1,
    amount: 200,
  } as const;
  const orders = [{ posReference: "A", mine: null, base: intent.seen, hub }];
  const conflict = { intent, orders, refusal: { errorCode: "NOT_FOUND" } } as unknown as Conflict;
  return checkToPay(conflict, checks)?.posReference ?? null;
}

it("money for a check paid by others does not go to the check that had a part of it before [CLIENT-340]", () => {
  const paid = check("A", [{ ...wine, quantity: 1 }], { status: "paid" });
  expect(placeOf([{ ...wine, quantity: 1 }], paid, [check("B", [glass])])).toBeNull();
  // A part of this dish was moved while the payment was in transit.
  expect(placeOf([wine], paid, [check("B", [glass])])).toBe("B");
});

it("money goes to the check that holds the dish now, not to one that had a part of it before [CLIENT-340]", () => {
  const parted = { ...wine, quantity: 1 };
  expect(placeOf([parted], null, [check("B", [glass]), check("C", [parted])])).toBe("C");
});

it("money does not pay what is ordered on its check after the paid dishes have moved [CLIENT-340]", () => {
  const own = check("A", [line("coffee", { total: 40 })]);
  expect(placeOf([steak], own, [check("B", [steak])])).toBe("B");
  expect(placeOf([steak, wine], check("A", [wine]), [check("B", [steak])])).toBe("A");
  // The check on B has only another dish.
  expect(placeOf([steak], own, [check("B", [line("soup", { total: 50 })])])).toBe("A");
});

it("money does not follow a voided dish, and does not go to a check that the hub does not have [CLIENT-340]", () => {
  const soup = line("soup", { total: 50 });
  const voided = { ...steak, voided: true, total: 0 };
  expect(placeOf([steak], null, [check("B", [voided, soup])])).toBeNull();
  expect(placeOf([voided, wine], null, [check("B", [steak, soup])])).toBeNull();
  expect(placeOf([steak], null, [{ ...check("A", [steak]), version: 0 }])).toBeNull();
});
