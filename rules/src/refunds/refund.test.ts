import type { Payment, Refund, Snapshot, StoredLine } from "@comanda/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sum } from "../money/amounts.ts";
import { decideRefund, leftToRefund, type RefundedCheck, refundedQuantities } from "./refund.ts";
import { refundAmount } from "./refund-amounts.ts";
import { refundOptions } from "./refund-options.ts";

const CASH = 1;
const CARD = 2;
const CREDIT = 3;
const methods = [
  { id: CASH, type: "cash" as const },
  { id: CARD, type: "bank" as const },
  { id: CREDIT, type: "pay_later" as const },
];

function line(id: string, quantity: number, total: number, more: Partial<StoredLine> = {}): StoredLine {
  return { id, productId: 101, quantity, unitPrice: 0, total, ...more };
}

function check(more: Partial<Snapshot> = {}): RefundedCheck {
  const lines = more.lines ?? [line("mofongo", 2, 900), line("flan", 1, 150)];
  const total = more.totals?.total ?? sum(lines.filter(({ voided }) => voided !== true).map((each) => each.total ?? 0));
  return {
    status: "closed",
    lines,
    totals: { subtotal: total, tax: 0, total },
    payments: [{ methodId: CASH, amount: total }],
    ...more,
  };
}

function refund(more: Partial<Refund>): Refund {
  return {
    refundId: "r",
    state: "made",
    at: "2026-11-26T18:00:00.000Z",
    by: "Marisol",
    terminalId: "caja",
    reason: null,
    lines: [],
    amount: 0,
    refund: [],
    ...more,
  };
}

const knowledge = { methods, takesLines: true };
const inCash = (amount: number) => [{ methodId: CASH, amount }];
const decide = (of: RefundedCheck, lines: { lineId: string; quantity: number }[] | undefined, amount: number) =>
  decideRefund(of, { lines, refund: inCash(amount) }, knowledge);

describe("refundable lines", () => {
  it("refundable is what was sold, less voids and earlier refunds [FISC-300]", () => {
    const lines = [
      line("a", 3, 200, { voidedQuantity: 1 }),
      line("b", 1, 80, { voided: true }),
      line("c", 2, 100),
      line("d", 1, 40),
    ];
    const refunds = [
      refund({
        lines: [
          { lineId: "c", quantity: 1 },
          { lineId: "d", quantity: 1 },
        ],
      }),
    ];
    expect(leftToRefund(check({ lines, refunds }))).toEqual([
      { lineId: "a", quantity: 2, amount: 200 },
      { lineId: "c", quantity: 1, amount: 50 },
    ]);
  });

  it("nothing is refundable after a note whose lines are unknown [FISC-300]", () => {
    expect(leftToRefund(check({ refunds: [refund({ lines: [] })] }))).toEqual([]);
  });

  it("refundable lines share a discount of the whole check, to the cent [FISC-301]", () => {
    const lines = [line("a", 1, 100), line("b", 1, 100), line("c", 1, 100)];
    const discounted = check({ lines, totals: { subtotal: 300, tax: 0, total: 200 } });
    expect(leftToRefund(discounted).map(({ amount }) => amount)).toEqual([66.66, 66.67, 66.67]);
  });

  it("refunds add up to the amount paid, however they are divided [FISC-301]", () => {
    const cents = fc.integer({ min: 0, max: 100_000 }).map((amount) => amount / 100);
    const sold = fc.tuple(fc.integer({ min: 1, max: 7 }), cents);
    fc.assert(
      fc.property(
        fc.array(sold, { minLength: 1, maxLength: 5 }),
        cents,
        fc.infiniteStream(fc.nat(6)),
        (all, off, steps) => {
          const lines = all.map(([quantity, total], index) => line(`l${index}`, quantity, total));
          const full = sum(lines.map(({ total }) => total ?? 0));
          const paid = Math.max(0, sum([full, -off]));
          let sale = check({ lines, totals: { subtotal: paid, tax: 0, total: paid } });
          const amounts: number[] = [];
          for (let left = leftToRefund(sale); left.length > 0; left = leftToRefund(sale)) {
            const next = left[(steps.next().value ?? 0) % left.length];
            if (next === undefined) break;
            const chosen = [{ lineId: next.lineId, quantity: 1 }];
            amounts.push(refundAmount(sale, chosen, refundedQuantities(sale)));
            sale = { ...sale, refunds: [...(sale.refunds ?? []), refund({ lines: chosen })] };
          }
          expect(sum(amounts)).toBe(full === 0 ? 0 : paid);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("a refund", () => {
  it("a refund covers everything left if it names no lines, otherwise these lines [FISC-302]", () => {
    expect(decide(check(), undefined, 1_050)).toEqual({
      lines: [
        { lineId: "mofongo", quantity: 2 },
        { lineId: "flan", quantity: 1 },
      ],
      amount: 1_050,
    });
    expect(decide(check(), [{ lineId: "mofongo", quantity: 1 }], 450)).toEqual({
      lines: [{ lineId: "mofongo", quantity: 1 }],
      amount: 450,
    });
  });

  const half = [{ lineId: "mofongo", quantity: 1 }];
  it.each([
    ["an open check", check({ status: "checkout" }), half, "NOT_PAID_YET"],
    [
      "a check whose last refund has no answer",
      check({ refunds: [refund({ state: "pending" })] }),
      half,
      "REFUND_UNANSWERED",
    ],
    ["a check that was given back", check({ refunds: [refund({})] }), undefined, "ALL_REFUNDED"],
    ["a line that it does not have", check(), [{ lineId: "sopa", quantity: 1 }], "NO_LINE"],
    ["more than was sold", check(), [{ lineId: "flan", quantity: 2 }], "MORE_THAN_LEFT"],
    [
      "more than is left",
      check({ refunds: [refund({ lines: [{ lineId: "mofongo", quantity: 2 }] })] }),
      half,
      "MORE_THAN_LEFT",
    ],
    [
      "what cost nothing",
      check({ lines: [line("pan", 1, 0), line("flan", 1, 150)] }),
      [{ lineId: "pan", quantity: 1 }],
      "NOTHING_TO_REFUND",
    ],
    ["another amount than it costs", check(), undefined, "WRONG_REFUND"],
  ])("a refund is refused for %s [FISC-303]", (_what, of, lines, code) => {
    expect(decide(of, lines, 450)).toMatchObject({ refusal: { code } });
  });

  it("a refund covers the whole check, once, if the back-office does not accept lines [FISC-304]", () => {
    const whole = { methods, takesLines: false };
    const all = [
      { lineId: "flan", quantity: 1 },
      { lineId: "mofongo", quantity: 2 },
    ];
    expect(decideRefund(check(), { refund: inCash(1_050) }, whole)).toMatchObject({ amount: 1_050 });
    expect(decideRefund(check(), { lines: all, refund: inCash(1_050) }, whole)).toMatchObject({ amount: 1_050 });
    const part = { lines: [{ lineId: "flan", quantity: 1 }], refund: inCash(150) };
    expect(decideRefund(check(), part, whole)).toEqual({ refusal: { code: "WHOLE_NOTES_ONLY", values: {} } });
    const refunds = [refund({ lines: [{ lineId: "flan", quantity: 1 }] })];
    expect(decideRefund(check({ refunds }), { refund: inCash(900) }, whole)).toMatchObject({
      refusal: { code: "ALL_REFUNDED" },
    });
  });
});

describe("refund methods", () => {
  const paid = (...payments: Payment[]) => check({ payments });

  it("a refund is paid back by the method that paid most, or in cash unless paid on credit [FISC-305]", () => {
    const both = paid({ methodId: CASH, amount: 250 }, { methodId: CARD, amount: 800 });
    expect(refundOptions(both, methods, 450)).toEqual([
      [{ methodId: CARD, amount: 450 }],
      [{ methodId: CASH, amount: 450 }],
    ]);
    expect(refundOptions(paid({ methodId: CARD, amount: 1_050 }), methods, 1_050)).toEqual([
      [{ methodId: CARD, amount: 1_050 }],
      [{ methodId: CASH, amount: 1_050 }],
    ]);
    expect(refundOptions(paid({ methodId: CREDIT, amount: 1_050 }), methods, 450)).toEqual([
      [{ methodId: CREDIT, amount: 450 }],
    ]);
  });

  it("a refund uses several methods if none paid enough [FISC-305]", () => {
    const mixed = paid({ methodId: CASH, amount: 250 }, { methodId: CREDIT, amount: 800 });
    expect(refundOptions(mixed, methods, 1_050)).toEqual([
      [
        { methodId: CREDIT, amount: 800 },
        { methodId: CASH, amount: 250 },
      ],
    ]);
    expect(refundOptions(mixed, methods, 2_000)).toEqual([]);
  });

  it("a refund in the methods of the payment is offered before one all in cash [FISC-305]", () => {
    const halves = paid({ methodId: CASH, amount: 525 }, { methodId: CARD, amount: 525 });
    expect(refundOptions(halves, methods, 1_050)).toEqual([
      [
        { methodId: CARD, amount: 525 },
        { methodId: CASH, amount: 525 },
      ],
      [{ methodId: CASH, amount: 1_050 }],
    ]);
  });

  it("a card refunds nothing that went back in cash for another card [FISC-305]", () => {
    const OTHER_CARD = 9;
    const cards = [...methods, { id: OTHER_CARD, type: "bank" as const }];
    const of = {
      ...paid({ methodId: CARD, amount: 50 }, { methodId: OTHER_CARD, amount: 50 }, { methodId: CREDIT, amount: 30 }),
      refunds: [refund({ refund: [{ methodId: CASH, amount: 60 }] })],
    };
    expect(refundOptions(of, cards, 70)).toEqual([
      [
        { methodId: CARD, amount: 40 },
        { methodId: CREDIT, amount: 30 },
      ],
    ]);
  });

  it("no method refunds more than it paid, over all refunds [FISC-306]", () => {
    const card = paid({ methodId: CARD, amount: 1_050 });
    const back = (of: RefundedCheck, methodId: number) =>
      decideRefund(of, { refund: [{ methodId, amount: 1_050 }] }, knowledge);
    expect(back(card, CARD)).toMatchObject({ amount: 1_050 });
    expect(back(card, CASH)).toMatchObject({ amount: 1_050 });
    expect(back(card, CREDIT)).toEqual({
      refusal: { code: "METHOD_OVERDRAWN", values: { methodId: CREDIT, left: 0 } },
    });
    const credit = paid({ methodId: CREDIT, amount: 1_050 });
    expect(back(credit, CASH)).toEqual({ refusal: { code: "METHOD_OVERDRAWN", values: { methodId: CASH, left: 0 } } });
    const halves = decideRefund(
      paid({ methodId: CASH, amount: 500 }, { methodId: CARD, amount: 550 }),
      {
        refund: [
          { methodId: CARD, amount: 550 },
          { methodId: CARD, amount: 500 },
        ],
      },
      knowledge,
    );
    expect(halves).toMatchObject({ refusal: { code: "METHOD_OVERDRAWN" } });
    const refunds = [
      refund({ lines: [{ lineId: "mofongo", quantity: 1 }], refund: [{ methodId: CASH, amount: 450 }] }),
    ];
    const rest = { ...card, refunds };
    expect(refundOptions(rest, methods, 600)).toEqual([
      [{ methodId: CARD, amount: 600 }],
      [{ methodId: CASH, amount: 600 }],
    ]);
    expect(decideRefund(rest, { refund: [{ methodId: CARD, amount: 600 }] }, knowledge)).toMatchObject({ amount: 600 });
  });
});
