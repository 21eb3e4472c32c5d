import type { Payment, Snapshot, Tender } from "@comanda/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { balanceOf } from "../money/due/amount-due.ts";
import { toCents } from "../money/amounts.ts";
import { refusalOfRemoval, refusalOfTotal } from "./money-on-check.ts";
import { isCovered, paymentsForCheck, settledCheck, tenderForCheck } from "./pay-check.ts";
import type { PaymentMethods } from "./payment-methods.ts";
import { unknownMethodAt } from "./payment-methods.ts";
import { voidTender } from "./void-tender.ts";

const methods: PaymentMethods = [
  { id: 1, type: "cash" },
  { id: 2, type: "bank" },
];
const voided = { at: "2026-01-01T20:05:00Z", by: "Ana", reason: "wrong table" };
const tender = (amount: number, more: Partial<Tender> = {}): Tender => ({
  tenderId: `${amount}`,
  methodId: 2,
  amount,
  takenAt: "2026-01-01T20:00:00Z",
  takenBy: "Ana",
  terminalId: "caja",
  ...more,
});
const check = (total: number, more: Partial<Snapshot> = {}): Snapshot => ({
  posReference: "A",
  status: "open",
  orderType: "takeout",
  tableId: null,
  guestCount: 1,
  createdAt: "2026-01-01T19:00:00Z",
  updatedAt: "2026-01-01T19:00:00Z",
  lines: [{ id: "a", quantity: 1, total }],
  totals: { subtotal: total, tax: 0, total },
  ...more,
});
const cash = (amount: number) => ({ methodId: 1, amount });
const card = (amount: number) => ({ methodId: 2, amount });

describe("a payment of a check", () => {
  it("a payment has to cover the total together with the tenders [ORDER-53, MONEY-15]", () => {
    const values = { paid: 90, total: 100, before: 0 };
    expect(paymentsForCheck(check(100), [card(90)], methods)).toEqual({ refusal: { code: "NOT_COVERED", values } });
    const partlyPaid = check(100, { tenders: [tender(10)] });
    expect(paymentsForCheck(partlyPaid, [card(90)], methods)).toEqual({ payments: [card(90)] });
    expect(paymentsForCheck(check(100, { tenders: [tender(100)] }), [], methods)).toEqual({ payments: [] });
  });

  it("a payment is refused above the total without cash, and where nothing is charged [MONEY-17, MONEY-18]", () => {
    const values = { paid: 95, total: 100, before: 10 };
    const partlyPaid = check(100, { tenders: [tender(10)] });
    expect(paymentsForCheck(partlyPaid, [card(95)], methods)).toEqual({ refusal: { code: "TOO_MUCH", values } });
    const refusal = { code: "NOTHING_CHARGED", values: {} };
    expect(paymentsForCheck(check(100, { lines: [] }), [card(100)], methods)).toEqual({ refusal });
    expect(tenderForCheck(check(100, { lines: [] }), [card(100)], methods)).toEqual({ refusal });
  });

  it("a tender may pay a part, and no more than is due without cash [MONEY-5]", () => {
    expect(tenderForCheck(check(100), [card(40)], methods)).toEqual({ payments: [card(40)] });
    const partlyPaid = check(100, { tenders: [tender(40)] });
    expect(tenderForCheck(partlyPaid, [cash(100)], methods)).toEqual({
      payments: [{ ...cash(60), tendered: 100, change: 40 }],
    });
    const refusal = { code: "MORE_THAN_DUE", values: { due: 60, fittedBefore: true } };
    expect(tenderForCheck(partlyPaid, [card(100)], methods)).toEqual({ refusal });
    const never = { code: "MORE_THAN_DUE", values: { due: 60, fittedBefore: false } };
    expect(tenderForCheck(partlyPaid, [card(101)], methods)).toEqual({ refusal: never });
    const paid = check(100, { tenders: [tender(100)] });
    expect(tenderForCheck(paid, [cash(10)], methods)).toMatchObject({ refusal: { values: { due: 0 } } });
  });

  it("a tender is refused if the check became cheaper than shown, because no change was given [MONEY-31]", () => {
    const refusal = { code: "MORE_THAN_DUE", values: { due: 60, fittedBefore: true } };
    for (const paid of [cash(100), card(100)]) {
      expect(tenderForCheck(check(60), [paid], methods, 100)).toEqual({ refusal });
      expect(tenderForCheck(check(100, { tenders: [tender(40)] }), [paid], methods, 100)).toEqual({ refusal });
    }
    expect(tenderForCheck(check(60), [cash(60)], methods, 100)).toEqual({ payments: [cash(60)] });
  });

  it("a tender has the change that was given, whatever happened to the check since [MONEY-5]", () => {
    // 100 in cash with 60 due: 40 were given as change.
    const expected = { payments: [{ methodId: 1, amount: 60, tendered: 100, change: 40 }] };
    expect(tenderForCheck(check(60), [cash(100)], methods, 60)).toEqual(expected);
    expect(tenderForCheck(check(80), [cash(100)], methods, 60)).toEqual(expected);
    const refusal = { code: "MORE_THAN_DUE", values: { due: 50, fittedBefore: true } };
    expect(tenderForCheck(check(50), [cash(100)], methods, 60)).toEqual({ refusal });
    // A card gives no change, so it never fitted.
    expect(tenderForCheck(check(50), [card(100)], methods, 60)).toMatchObject({
      refusal: { values: { fittedBefore: false } },
    });
  });

  it("a settled check lists the tenders that were not returned [MONEY-3]", () => {
    const tenders = [tender(40), tender(60, { voided })];
    const settled = settledCheck(check(100, { paymentId: "of a terminal" }), { tenders, payments: [card(60)] });
    expect(settled).toEqual({
      ...check(100),
      status: "paid",
      tenders,
      payments: [{ tenderId: "40", ...card(40) }, card(60)],
    });
    expect(settledCheck(check(100), { tenders: [], payments: [], paymentId: "p" })).toEqual({
      ...check(100),
      status: "paid",
      paymentId: "p",
      payments: [],
    });
  });

  it("unknown methods are named if the back-office's methods are known [MONEY-110]", () => {
    expect(unknownMethodAt([card(1), { methodId: 9, amount: 1 }], methods)).toBe(1);
    expect(unknownMethodAt([card(1)], methods)).toBe(-1);
    expect(unknownMethodAt([{ methodId: 9, amount: 1 }], null)).toBe(-1);
    expect(unknownMethodAt([{ methodId: 9, amount: 1 }], [])).toBe(-1);
  });
});

const numRuns = 2_000;
it(`every check is settled to the cent, whatever payments arrive (${numRuns} checks) [RULE-10]`, () => {
  const cents = fc.integer({ min: 1, max: 200_000 }).map((each) => each / 100);
  const payment = fc.record({ methodId: fc.constantFrom(1, 2), amount: cents });
  fc.assert(
    fc.property(cents, fc.array(payment, { maxLength: 8 }), (total, brought) => {
      let state = check(total);
      for (const [index, each] of brought.entries()) {
        const result = tenderForCheck(state, [each], methods);
        if ("refusal" in result) continue;
        const [settled] = result.payments as [Payment];
        // The amount tendered is the settling amount plus the change.
        expect(toCents(settled.amount) + toCents(settled.change ?? 0)).toBe(toCents(each.amount));
        const tenders = [...(state.tenders ?? []), { ...tender(0), ...settled, tenderId: `${index}` }];
        state = { ...state, tenders };
        expect(toCents(balanceOf(state))).toBeGreaterThanOrEqual(0);
      }
      expect(isCovered(state)).toBe(balanceOf(state) <= 0);
      const rest = paymentsForCheck(state, [cash(total)], methods);
      if ("refusal" in rest) throw new Error(rest.refusal.code);
      const { payments = [] } = settledCheck(state, { tenders: state.tenders ?? [], payments: rest.payments });
      expect(payments.reduce((sum, { amount }) => sum + toCents(amount), 0)).toBe(toCents(total));
    }),
    { numRuns },
  );
});

describe("tenders of a check", () => {
  const partlyPaid = check(100, { tenders: [tender(40), tender(10, { voided })] });

  it("a check with tenders cannot be removed [MONEY-8]", () => {
    expect(refusalOfRemoval(partlyPaid)).toEqual({ code: "HAS_TENDERS", values: { paid: 40 } });
    expect(refusalOfRemoval(check(100, { tenders: [tender(40, { voided })] }))).toBeNull();
    expect(refusalOfRemoval(check(100))).toBeNull();
  });

  it("a total cannot be lowered below what is paid [MONEY-9]", () => {
    expect(refusalOfTotal(partlyPaid, 39.99)).toEqual({ code: "BELOW_PAID", values: { paid: 40, total: 39.99 } });
    expect(refusalOfTotal(partlyPaid, 40)).toBeNull();
    expect(refusalOfTotal(check(100), -1)).toBeNull();
  });

  it("a tender is voided once, and stays listed [MONEY-7]", () => {
    const { tenders = [] } = partlyPaid;
    expect(voidTender(partlyPaid, "40", voided)).toEqual({ tenders: [{ ...tenders[0], voided }, tenders[1]] });
    expect(voidTender(partlyPaid, "10", voided)).toEqual({ refusal: { code: "VOIDED_BEFORE" } });
    expect(voidTender(partlyPaid, "7", voided)).toEqual({ refusal: { code: "NO_TENDER" } });
  });
});
