import type { Snapshot } from "@comanda/protocol";
import { expect, it } from "vitest";
import { nextPayment } from "./next-payment.ts";

const by = { methodId: 1, terminalId: "caja", takenBy: "Carla", takenAt: "2026-11-22T20:00:00.000Z" };
const check = (tenders: Snapshot["tenders"]) => ({ totals: { subtotal: 850, tax: 150, total: 1_000 }, tenders });

it("the next payment is one part after the other, each with its tip, or everything left if nothing is divided [TOUCH-60]", () => {
  const whole = nextPayment(check([]), { division: null, tip: null });
  expect(whole).toEqual({
    due: 100_000,
    before: [],
    parts: [],
    next: -1,
    charge: { amount: 100_000, tip: 0 },
    tipped: 100_000,
  });

  const tip = { percent: 10, before: ["a"] };
  const division = { division: { first: 20_000 }, before: ["a"] };
  const first = check([{ tenderId: "a", amount: 300, ...by }]);
  expect(nextPayment(first, { division, tip })).toMatchObject({ next: 0, charge: { amount: 20_000, tip: 2_000 } });
  const rest = check([...(first.tenders ?? []), { tenderId: "b", amount: 200, tip: 20, ...by }]);
  expect(nextPayment(rest, { division, tip })).toMatchObject({
    due: 50_000,
    next: 1,
    charge: { amount: 50_000, tip: 5_000 },
  });
});

it("no payment is requested once the check is paid [TOUCH-60]", () => {
  const paid = check([{ tenderId: "a", amount: 1_200, ...by }]);
  expect(nextPayment(paid, { division: null, tip: null })).toMatchObject({ due: 0, charge: { amount: 0, tip: 0 } });
});

it("no tip and no parts are requested for a check that costs nothing [TOUCH-75]", () => {
  const free = { totals: { subtotal: 850, tax: 150, total: 0 }, tenders: [] };
  const chosen = { division: { division: { count: 3 }, before: [] }, tip: { cents: 10_000, before: [] } };
  expect(nextPayment(free, chosen)).toMatchObject({ due: 0, parts: [], next: -1, charge: { amount: 0, tip: 0 } });
});

it("a payment returned after tip and parts were chosen is ignored in the next payment [TOUCH-594]", () => {
  const first = { tenderId: "a", amount: 500, tip: 100, ...by };
  const back = { ...first, voided: { at: by.takenAt, by: "Carla", reason: "wrong method" } };
  const { before } = nextPayment(check([first]), { division: null, tip: null });
  const whole = { division: null, tip: { percent: 10, before } };
  expect(nextPayment(check([first]), whole).charge).toEqual({ amount: 50_000, tip: 5_000 });
  expect(nextPayment(check([back]), whole)).toMatchObject({
    charge: { amount: 100_000, tip: 10_000 },
    tipped: 100_000,
  });
  expect(nextPayment(check([back]), { division: null, tip: { cents: 5_000, before } }).charge.tip).toBe(5_000);

  const halves = { division: { division: { count: 2 }, before }, tip: null };
  const next = { tenderId: "b", amount: 250, ...by };
  expect(nextPayment(check([first, next]), halves)).toMatchObject({ next: 1, charge: { amount: 25_000 } });
  // Payments made since the choice fill the first part.
  expect(nextPayment(check([back, next]), halves)).toMatchObject({ due: 75_000, next: 0, charge: { amount: 25_000 } });
  const rest = [back, next, { ...next, tenderId: "c" }];
  expect(nextPayment(check(rest), halves)).toMatchObject({ due: 50_000, next: 1, charge: { amount: 50_000 } });
});
