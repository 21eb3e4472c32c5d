import type { Payment } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import type { PaymentMethods } from "./payment-methods.ts";
import { cutToDue, settleAmounts } from "./settle-amounts.ts";

const methods: PaymentMethods = [
  { id: 1, type: "cash" },
  { id: 2, type: "bank" },
];
const settled = (payments: Payment[], due = 850, knownMethods: PaymentMethods = methods) => {
  const result = settleAmounts(payments, due, knownMethods);
  return "payments" in result ? result.payments : result.refusal.code;
};
const cash = (amount: number, more = {}) => ({ methodId: 1, amount, ...more });
const card = (amount: number) => ({ methodId: 2, amount });

describe("settled amounts", () => {
  it("cash above the total becomes change [MONEY-16]", () => {
    expect(settled([cash(1000)], 850)).toEqual([cash(850, { tendered: 1000, change: 150 })]);
    expect(settled([cash(500), card(500)], 850)).toEqual([cash(350, { tendered: 500, change: 150 }), card(500)]);
    expect(settled([cash(0.3)], 0.1)).toEqual([cash(0.1, { tendered: 0.3, change: 0.2 })]);
    expect(settled([cash(500), cash(500)], 850)).toEqual([cash(500), cash(350, { tendered: 500, change: 150 })]);
  });

  it("change is added to the named change [MONEY-16]", () => {
    expect(settled([cash(900, { tendered: 1000, change: 100 })], 850)).toEqual([
      cash(850, { tendered: 1000, change: 150 }),
    ]);
  });

  it("an excess of another method is paid out in cash [MONEY-16]", () => {
    expect(settled([card(900), cash(20)], 850)).toEqual([card(900), cash(-50, { tendered: 20, change: 70 })]);
  });

  it("an excess without cash is refused [MONEY-17]", () => {
    expect(settled([card(851)], 850)).toBe("NO_CHANGE");
    expect(settled([{ methodId: 2, amount: 851, tendered: 851 }], 850)).toBe("NO_CHANGE");
    expect(settled([card(850.004)], 850)).toEqual([card(850.004)]);
  });

  it("an unknown method counts as cash if it names change, or if no method is known [MONEY-17]", () => {
    const unknown = { methodId: 9, amount: 1000 };
    expect(settled([unknown], 850)).toBe("NO_CHANGE");
    const named = { ...unknown, tendered: 1000 };
    expect(settled([named], 850)).toEqual([{ ...named, amount: 850, change: 150 }]);
    expect(settled([unknown], 850, null)).toEqual([{ ...named, amount: 850, change: 150 }]);
    expect(settled([{ ...card(500), tendered: 500 }, card(500)], 850, null)).toEqual([
      { methodId: 2, amount: 350, tendered: 500, change: 150 },
      card(500),
    ]);
  });

  it.each([
    [cash(850, { tendered: 1000 }), cash(850, { tendered: 1000, change: 150 })],
    [cash(850, { change: 150 }), cash(850, { tendered: 1000, change: 150 })],
    [cash(850, { tendered: 1000, change: 150 }), cash(850, { tendered: 1000, change: 150 })],
    [cash(850, { tendered: 1000, tip: 50 }), cash(850, { tendered: 1000, tip: 50, change: 100 })],
    [cash(850, { tendered: 1000, tip: 50, change: 100 }), cash(850, { tendered: 1000, tip: 50, change: 100 })],
    [cash(850, { tendered: 1000, tip: 50, change: 150 }), cash(850, { tendered: 1000, tip: 50, change: 150 })],
    [cash(850, { tendered: 850, tip: 50 }), cash(850, { tendered: 850, tip: 50, change: 0 })],
  ])("the amounts of cash are completed: %j [MONEY-6]", (payment, expected) => {
    expect(settled([payment], 850)).toEqual([expected]);
  });

  it.each([
    cash(850, { tendered: 800 }),
    cash(850, { tendered: 1000, change: 100 }),
    cash(850, { tendered: 1000, change: 150.01 }),
    cash(1000, { tendered: 1000, change: 150 }),
  ])("cash amounts that do not add up are refused: %j [MONEY-6]", (payment) => {
    expect(settled([payment])).toBe("WRONG_TENDERED");
  });
});

it("the last payments are lowered first where none can give change [MONEY-17]", () => {
  expect(cutToDue([card(500), card(400), card(100)], 850)).toEqual([card(500), card(350), card(0)]);
  expect(cutToDue([card(500)], 850)).toEqual([card(500)]);
});
