import type { FiscalRequest, Payment, Snapshot } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import type { HubKnowledge } from "../context.ts";
import { createRestaurant, type RestaurantOptions } from "../../test/restaurant.ts";

const menu: NonNullable<RestaurantOptions["menu"]> = {
  products: [],
  taxes: [],
  rounding: "line",
  paymentMethods: [
    { id: 1, type: "cash" },
    { id: 2, type: "bank" },
  ],
};
const cashier = { terminalId: "caja", mayVoid: true };
const waiter = { terminalId: "tablet", mayVoid: false };
const card = (amount: number): Payment => ({ methodId: 2, amount });

/** A check of 100. */
function dinner() {
  const restaurant = createRestaurant({ menu });
  restaurant.write({ A: [{ id: "steak", unitPrice: 100, total: 100 }] });
  const pay = (payments: Payment[], { by = cashier, baseVersion = restaurant.versionOf("A") } = {}) =>
    restaurant.change({ type: "ORDER_PAY", posReference: "A", baseVersion, paymentId: "p", payments }, by);
  const tender = (payment: Payment & { fiscal?: FiscalRequest }, tenderId = "t", by = cashier) =>
    restaurant.change({ type: "ORDER_TENDER", posReference: "A", tenderId, ...payment }, by);
  const returnTender = (tenderId = "t", by = cashier) =>
    restaurant.change({ type: "ORDER_TENDER_VOID", posReference: "A", tenderId, reason: "wrong table" }, by);
  const check = () => restaurant.orders()[0]?.snapshot as Snapshot & { paidBy?: string; paidAt?: string };
  return { restaurant, pay, tender, returnTender, check };
}

describe("payments of a check", () => {
  it("a payment settles the check and stores by whom and when [RULE-10]", () => {
    const { pay, check } = dinner();
    expect(pay([card(100)])).toBeNull();
    expect(check()).toMatchObject({ status: "paid", paymentId: "p", payments: [card(100)], paidBy: "caja" });
    expect(check().paidAt).toBe("2026-11-25T20:00:00.000Z");
  });

  it("a tender stays on the check until tenders cover it, and is returned once [RULE-10]", () => {
    const { tender, returnTender, check } = dinner();
    expect(tender(card(40))).toBeNull();
    expect(check()).toMatchObject({ status: "open", tenders: [{ tenderId: "t", amount: 40, takenBy: "caja" }] });
    expect(returnTender()).toBeNull();
    expect(returnTender()).toBeNull();
    expect(check().tenders).toMatchObject([{ tenderId: "t", voided: { by: "caja", reason: "wrong table" } }]);
    expect(tender(card(100), "u")).toBeNull();
    expect(check()).toMatchObject({ status: "paid", payments: [{ tenderId: "u", amount: 100 }] });
    expect(returnTender("u")).toEqual({ code: "LOCKED", values: { posReference: "A", status: "paid" } });
  });

  it("the requested fiscal number is stored on the tender only [MONEY-1]", () => {
    const { tender, check } = dinner();
    const fiscal = { type: "E31", rnc: "131246789" };
    expect(tender({ ...card(40), fiscal })).toBeNull();
    expect(check().tenders).toMatchObject([{ tenderId: "t", fiscal }]);
    expect(tender(card(60), "u")).toBeNull();
    expect(check().payments).toEqual([
      { tenderId: "t", ...card(40) },
      { tenderId: "u", ...card(60) },
    ]);
  });

  it("a payment is refused for the first reason that applies, and changes nothing [RULE-10]", () => {
    const { restaurant, pay, tender, returnTender, check } = dinner();
    const before = check();
    expect(pay([card(100)], { by: waiter })).toEqual({ code: "CASHIER_NEEDED", values: { what: "take_payment" } });
    expect(returnTender("t", waiter)).toEqual({ code: "CASHIER_NEEDED", values: { what: "return_payment" } });
    expect(returnTender()).toEqual({ code: "NO_TENDER", values: { tenderId: "t" } });
    expect(pay([{ methodId: 9, amount: 100 }])).toEqual({
      code: "UNKNOWN_METHOD",
      values: { field: "payments.0.methodId" },
    });
    expect(tender({ methodId: 9, amount: 1 })).toEqual({ code: "UNKNOWN_METHOD", values: { field: "methodId" } });
    expect(pay([card(100)], { baseVersion: 9 })).toMatchObject({ code: "MOVED_ON" });
    expect(pay([card(90)])).toMatchObject({ code: "NOT_COVERED" });
    expect(pay([card(110)])).toMatchObject({ code: "TOO_MUCH" });
    expect(tender(card(110))).toEqual({ code: "MORE_THAN_DUE", values: { due: 100, fittedBefore: false } });
    restaurant.closeSession();
    expect(pay([card(100)])).toEqual({ code: "NO_SESSION", values: {} });
    expect(check()).toBe(before);
  });
});

describe("foreign cash", () => {
  const currencies = [{ code: "USD", rate: 60, rounding: 5 }];
  const open = (formerRate: HubKnowledge["formerRate"] = () => null) => {
    const hub = {
      otherHolder: () => null,
      hasOtherWriter: () => false,
      hasKeptMoney: () => false,
      ticketNumber: () => undefined,
      formerRate,
      checkOfParty: () => null,
    };
    const restaurant = createRestaurant({ menu: { ...menu, currencies }, hub });
    restaurant.write({ A: [{ id: "steak", unitPrice: 100, total: 100 }] });
    const tender = (payment: Payment, queuedAt: number | null = null) =>
      restaurant.change({ type: "ORDER_TENDER", posReference: "A", tenderId: "t", ...payment }, cashier, queuedAt);
    return { tender, tenders: () => restaurant.orders()[0]?.snapshot.tenders };
  };
  const dollars = (amount: number, rate = 60) => ({ currency: "USD", amount, rate });

  it("foreign cash counts at the restaurant's rate, with change in pesos [MONEY-130]", () => {
    const { tender, tenders } = open();
    expect(tender({ methodId: 1, amount: 100, foreign: dollars(5) })).toBeNull();
    expect(tenders()).toMatchObject([{ amount: 100, tendered: 300, change: 200, foreign: dollars(5) }]);
    const whole = open();
    // The values computed by the terminal are ignored.
    expect(whole.tender({ methodId: 1, amount: 300, tendered: 1, change: 7, foreign: dollars(5) })).toBeNull();
    expect(whole.tenders()).toMatchObject([{ amount: 100, tendered: 300, change: 200 }]);
    const part = open();
    expect(part.tender({ methodId: 1, amount: 60, foreign: dollars(1) })).toBeNull();
    expect(part.tenders()).toMatchObject([{ amount: 60, tendered: 60, change: 0 }]);
  });

  it("foreign cash is refused by card, above its value, and in a currency that is not accepted [MONEY-130]", () => {
    const { tender, tenders } = open();
    const refusal = { code: "UNKNOWN_METHOD", values: { field: "foreign" } };
    expect(tender({ methodId: 2, amount: 100, foreign: dollars(5) })).toEqual(refusal);
    expect(tender({ methodId: 1, amount: 100, foreign: dollars(1) })).toMatchObject({ code: "WRONG_TENDERED" });
    const euros = { currency: "EUR", amount: 5, rate: 70 };
    expect(tender({ methodId: 1, amount: 100, foreign: euros })).toEqual(refusal);
    expect(tenders()).toBeUndefined();
  });

  it("foreign cash counts at a rate that was valid when it was queued, and at no other [MONEY-131]", () => {
    const questions: unknown[] = [];
    const { tender, tenders } = open((...question) => {
      questions.push(question);
      return question[2] === null ? null : { code: "USD", rate: 62, rounding: 0 };
    });
    expect(tender({ methodId: 1, amount: 100, foreign: dollars(5, 62) })).toEqual({
      code: "RATE_CHANGED",
      values: { currency: "USD", sent: 62, now: 60 },
    });
    expect(tenders()).toBeUndefined();
    expect(tender({ methodId: 1, amount: 100, foreign: dollars(5, 62) }, 7)).toBeNull();
    expect(questions).toEqual([
      ["USD", 62, null],
      ["USD", 62, 7],
    ]);
    expect(tenders()).toMatchObject([{ amount: 100, tendered: 310, change: 210 }]);
  });
});
