import type { PosConfig } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { dueOf, hasChargedLines, settleAmounts } from "./payment-rules.ts";

const config = {
  paymentMethods: [
    { id: 1, name: "Efectivo", type: "cash" },
    { id: 2, name: "Tarjeta", type: "bank" },
  ],
} as unknown as PosConfig;
const cash = (amount: number, more = {}) => ({ methodId: 1, amount, ...more });
const card = (amount: number) => ({ methodId: 2, amount });

describe("the amounts that settle a check", () => {
  it("[MONEY-120] are compared with what is due in whole cents", () => {
    const tender = { ...cash(10), tenderId: "a", takenAt: "", takenBy: "", terminalId: "" };
    expect(dueOf({ totals: { subtotal: 10.075, tax: 0, total: 10.075 }, tenders: [tender] })).toBe(0.08);
  });

  it("[MONEY-16] makes change of what exceeds the check, from the cash", () => {
    expect(settleAmounts([cash(1000)], 850, config)).toEqual([cash(850, { tendered: 1000, change: 150 })]);
    expect(settleAmounts([cash(500), card(500)], 850, config)).toEqual([
      cash(350, { tendered: 500, change: 150 }),
      card(500),
    ]);
    expect(settleAmounts([cash(0.3)], 0.1, config)).toEqual([cash(0.1, { tendered: 0.3, change: 0.2 })]);
    expect(settleAmounts([cash(500), cash(500)], 850, config)).toEqual([
      cash(500),
      cash(350, { tendered: 500, change: 150 }),
    ]);
  });

  it("[MONEY-16] adds to change that was named", () => {
    expect(settleAmounts([cash(900, { tendered: 1000, change: 100 })], 850, config)).toEqual([
      cash(850, { tendered: 1000, change: 150 }),
    ]);
  });

  it("[MONEY-16] takes what another method brought too much out of the drawer", () => {
    expect(settleAmounts([card(900), cash(20)], 850, config)).toEqual([
      card(900),
      cash(-50, { tendered: 20, change: 70 }),
    ]);
  });

  it("[MONEY-17] has no change without cash", () => {
    expect(settleAmounts([card(851)], 850, config)).toBeNull();
    expect(settleAmounts([{ methodId: 2, amount: 851, tendered: 851 }], 850, config)).toBeNull();
    expect(settleAmounts([card(850.004)], 850, config)).toEqual([card(850.004)]);
  });

  it("[MONEY-17] takes a method that nobody knows for cash when it names change, or when no method is known", () => {
    const unknown = { methodId: 9, amount: 1000 };
    expect(settleAmounts([unknown], 850, config)).toBeNull();
    const named = { ...unknown, tendered: 1000 };
    expect(settleAmounts([named], 850, config)).toEqual([{ ...named, amount: 850, change: 150 }]);
    expect(settleAmounts([unknown], 850, null)).toEqual([{ ...named, amount: 850, change: 150 }]);
    expect(settleAmounts([{ ...card(500), tendered: 500 }, card(500)], 850, null)).toEqual([
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
  ])("[MONEY-6] completes what was handed over: %j", (payment, settled) => {
    expect(settleAmounts([payment], 850, config)).toEqual([settled]);
  });

  it.each([
    cash(850, { tendered: 800 }),
    cash(850, { tendered: 1000, change: 100 }),
    cash(850, { tendered: 1000, change: 150.01 }),
    cash(1000, { tendered: 1000, change: 150 }),
  ])("[MONEY-6] refuses cash that does not add up: %j", (payment) => {
    expect(() => settleAmounts([payment], 850, config)).toThrow("tendered");
  });
});

it("[MONEY-18] counts a line that is void, whole or in all its parts, as none", () => {
  const line = { id: "a", quantity: 2 };
  expect(hasChargedLines({ lines: [line] })).toBe(true);
  expect(hasChargedLines({ lines: [{ ...line, voidedQuantity: 1 }] })).toBe(true);
  expect(hasChargedLines({ lines: [] })).toBe(false);
  expect(hasChargedLines({ lines: [{ ...line, voided: true }] })).toBe(false);
  expect(hasChargedLines({ lines: [{ ...line, voidedQuantity: 2 }] })).toBe(false);
});
