import type { Payment, Tender } from "@comanda/protocol";
import { paymentsIn, settleAmounts } from "@comanda/rules";
import { describe, expect, it } from "vitest";
import { content, line, storedOrder } from "../../../test/builders.ts";
import type { MoneyIntent } from "../entries/outbox-entry.ts";
import { asPartPayment } from "./settle-payment.ts";

const paymentId = "00000000-0000-4000-8000-00000000ffff";

/** A payment for a check of `total`. */
function paid(total: number, payments: Payment[]): MoneyIntent {
  const seen = content([line("all", { total })]);
  return { type: "ORDER_PAY", posReference: "A", seen, seenVersion: 1, paymentId, payments };
}

/** The current check. */
function check(total: number, tenders: number[] = []) {
  const tendersOfCheck = tenders.map((amount) => ({
    tenderId: "other",
    methodId: 1,
    amount,
    takenAt: "",
    takenBy: "",
    terminalId: "",
  }));
  const { snapshot } = storedOrder("A", 2, content([line("all", { total })]));
  return { ...snapshot, tenders: tendersOfCheck satisfies Tender[] };
}

/** The tenders as the check accepts them. */
function accepted({ tenders }: ReturnType<typeof asPartPayment>) {
  const total = tenders.reduce((sum, { amount }) => sum + amount, 0);
  const settled = settleAmounts(tenders.flatMap(paymentsIn), total, [
    { id: 1, type: "cash" },
    { id: 2, type: "bank" },
  ]);
  return "payments" in settled ? settled.payments : [settled.refusal];
}

describe("asPartPayment", () => {
  it("a part payment pays what is due under the payment's identity, and says what is left to collect [CLIENT-127]", () => {
    const part = asPartPayment(paid(850, [{ methodId: 1, amount: 850, tendered: 1_000, change: 150 }]), check(900));
    const tender = { tenderId: paymentId, methodId: 1, amount: 850, tendered: 1_000, change: 150 };
    expect(part).toMatchObject({ tenders: [tender], collect: 50, giveBack: 0 });
  });

  it("a part payment names the excess, and gives it as change for cash [CLIENT-127]", () => {
    const cash = asPartPayment(paid(850, [{ methodId: 1, amount: 850, tendered: 1_000, change: 150 }]), check(800));
    expect(cash).toMatchObject({ tenders: [{ amount: 800, tendered: 1_000, change: 200 }], collect: 0, giveBack: 50 });
    const card = asPartPayment(paid(850, [{ methodId: 2, amount: 850 }]), check(800));
    expect(card).toMatchObject({ tenders: [{ amount: 800 }], collect: 0, giveBack: 50 });
    expect(card.tenders[0]).not.toHaveProperty("change");
  });

  it("a part payment keeps a tip out of the change [CLIENT-127]", () => {
    const handed = { methodId: 1, amount: 850, tip: 50, tendered: 1_000, change: 100 };
    expect(accepted(asPartPayment(paid(850, [handed]), check(800)))).toMatchObject([
      { ...handed, amount: 800, change: 150 },
    ]);
    expect(accepted(asPartPayment(paid(850, [handed]), check(850)))).toMatchObject([handed]);
    const { tendered: _, ...named } = handed;
    expect(accepted(asPartPayment(paid(850, [named]), check(800)))).toMatchObject([
      { tendered: 950, change: 150, tip: 50 },
    ]);
  });

  it("a payment that adds nothing to the check is given back with its tip [CLIENT-127]", () => {
    const payments = [
      { methodId: 2, amount: 800, tip: 80 },
      { methodId: 1, amount: 50, tip: 5 },
    ];
    const part = asPartPayment(paid(850, payments), check(700));
    expect(part).toMatchObject({ tenders: [{ amount: 700, tip: 80 }], collect: 0, giveBack: 155 });
    expect(asPartPayment(paid(850, payments), check(820))).toMatchObject({ tenders: [{}, { tip: 5 }], giveBack: 30 });
  });

  it("the change that a payment gave then counts as given [CLIENT-127]", () => {
    const part = asPartPayment(paid(850, [{ methodId: 1, amount: 1_000 }]), check(900));
    expect(part).toMatchObject({ tenders: [{ amount: 850 }], collect: 50, giveBack: 0 });
  });

  it("the change that a tender gave of the amount due then counts as given [CLIENT-322]", () => {
    const { seen } = paid(850, []);
    const money = { methodId: 1, amount: 500, seenDue: 350 };
    const tender = {
      type: "ORDER_TENDER",
      posReference: "A",
      seen,
      seenVersion: 1,
      tenderId: paymentId,
      ...money,
    } as const;
    expect(asPartPayment(tender, check(850, [600]))).toMatchObject({ tenders: [{ amount: 250 }], giveBack: 100 });
  });

  it("a part payment counts other payments, puts cash last, and always uses the same ids for its parts [CLIENT-127]", () => {
    const payments = [
      { methodId: 1, amount: 500, tendered: 500 },
      { methodId: 2, amount: 350 },
    ];
    const part = asPartPayment(paid(850, payments), check(900, [300]));
    const second = "00000000-0000-4000-8000-000000000000";
    expect(part.tenders).toMatchObject([
      { tenderId: paymentId, methodId: 2, amount: 350 },
      { tenderId: second, methodId: 1, amount: 250, tendered: 500 },
    ]);
    expect(accepted(part)[1]).toMatchObject({ amount: 250, tendered: 500, change: 250 });
    expect([part.collect, part.giveBack]).toEqual([0, 250]);
    expect(asPartPayment(paid(850, payments), check(900, [300]))).toEqual(part);
  });

  it("a part payment adds the rest if the terminal was killed after a part had reached the check [CLIENT-341]", () => {
    const payments = [
      { methodId: 1, amount: 500 },
      { methodId: 2, amount: 350 },
    ];
    const { tenders: both } = asPartPayment(paid(850, payments), check(850));
    const half = check(850, [350]);
    half.tenders[0]!.tenderId = both[1]!.tenderId;
    const first = { tenderId: paymentId, amount: 500, seenDue: 500 };
    expect(asPartPayment(paid(850, payments), half)).toMatchObject({ tenders: [first], collect: 0, giveBack: 0 });
  });

  it("a part payment adds nothing to a check that is paid or over [CLIENT-127]", () => {
    const payment = paid(850, [{ methodId: 1, amount: 850 }]);
    const nothing = { tenders: [], collect: 0, giveBack: 850 };
    expect(asPartPayment(payment, check(850, [850]))).toEqual(nothing);
    expect(asPartPayment(payment, { ...check(850), status: "paid" })).toEqual(nothing);
  });
});
