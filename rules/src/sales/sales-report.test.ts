import { type Adjustment, HOUR_MS, type Snapshot, type StoredLine } from "@comanda/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { subtract, sum } from "../money/amounts.ts";
import { priceLine } from "../money/pricing/price-line.ts";
import { refundAmount } from "../refunds/refund-amounts.ts";
import { createSalesReport } from "./sales-report.ts";
import { groupReductions } from "./reductions.ts";

const taxes = [
  { id: 1, name: "ITBIS", rate: 18, included: false, orderTypes: ["dine_in", "takeout", "delivery"] },
  { id: 2, name: "Propina legal", rate: 10, included: false, orderTypes: ["dine_in"] },
];
const hourOf = (at: number) => new Date(Math.floor(at / HOUR_MS) * HOUR_MS).toISOString();
const newReport = () => createSalesReport({ taxes, hourOf });

interface Ordered {
  productId: number;
  unitPrice: number;
  quantity: number;
  voided: boolean;
  percent: number;
}

function lineOf({ voided, percent, ...ordered }: Ordered, index: number, orderType: Snapshot["orderType"]): StoredLine {
  const discount = percent > 0 ? { discount: { percent } } : {};
  const priced = priceLine({ ...ordered, ...discount, taxes }, { orderType });
  return {
    id: `l${index}`,
    ...ordered,
    ...discount,
    taxIds: [1, 2],
    total: priced.total,
    taxAmount: priced.tax,
    ...(voided && { voided }),
  };
}

function checkOf(
  lines: StoredLine[],
  over: { orderType?: Snapshot["orderType"]; staffName?: string; adjustments?: Adjustment[]; tip?: number } = {},
) {
  const { tip = 0, adjustments = [], orderType = "takeout", staffName } = over;
  const charged = lines.filter((line) => line.voided !== true);
  const total = sum([...charged.map((line) => line.total ?? 0), ...adjustments.map(({ amount }) => amount)]);
  const tax = sum(charged.map((line) => line.taxAmount ?? 0));
  return {
    posReference: "A",
    orderType,
    tableId: null,
    guestCount: 2,
    createdAt: "2026-11-22T19:00:00.000Z",
    staffName: staffName ?? null,
    lines,
    adjustments,
    totals: { subtotal: subtract(total, tax), tax, total },
    payments: [{ methodId: 1, amount: total, tip }],
  };
}

const refundOf = (amount: number, lines: { lineId: string; quantity: number }[]) => ({
  refundId: "r",
  state: "made" as const,
  at: "2026-11-22T20:00:00Z",
  by: "Marisol",
  terminalId: "hub",
  reason: null,
  lines,
  amount,
  refund: [{ methodId: 1, amount }],
});

const ordered = fc.record({
  productId: fc.integer({ min: 1, max: 4 }),
  unitPrice: fc.integer({ min: 1, max: 200_000 }).map((cents) => cents / 100),
  quantity: fc.integer({ min: 1, max: 9 }),
  voided: fc.boolean(),
  percent: fc.constantFrom(0, 0, 10, 33),
});
const sale = fc.record({
  at: fc.integer({ min: 0, max: 30 * HOUR_MS }),
  lines: fc.array(ordered, { minLength: 1, maxLength: 6 }),
  orderType: fc.constantFrom("dine_in" as const, "takeout" as const),
  staffName: fc.constantFrom("Ana", "Luis"),
  off: fc.integer({ min: 0, max: 30 }),
  tip: fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100),
  refunded: fc.boolean(),
});
const numRuns = 300;

describe("the day's sales", () => {
  it("guests of a split check count once, whoever pays first, apart from others at the table [OP-507]", () => {
    const report = newReport();
    const check = { ...checkOf([]), tableId: 28, guestCount: 3 };
    const part = { ...check, createdAt: "2026-11-22T21:00:00.000Z", seatedAt: check.createdAt };
    const checks = [
      { ...part, posReference: "B", staffName: "Ana" },
      { ...check, guestCount: 4, staffName: "Luis" },
      { ...part, posReference: "C", staffName: "Luis" },
      { ...check, posReference: "D", createdAt: "2026-11-22T21:00:00.000Z", staffName: "Luis" },
      { ...check, posReference: "E", tableId: null, staffName: "Eva" },
      { ...check, posReference: "F", tableId: null, staffName: "Eva" },
    ];
    for (const each of checks) report.addCheck(0, each);
    const { hours, waiters } = report.read();
    expect(hours.map(({ guests }) => guests)).toEqual([13]);
    expect(new Map(waiters.map(({ name, guests }) => [name, guests]))).toEqual(
      new Map([
        ["Ana", 3],
        ["Luis", 4],
        ["Eva", 6],
      ]),
    );
  });

  it(`sales add up to the takings, however they are divided (${numRuns} days) [OP-508]`, () => {
    fc.assert(
      fc.property(fc.array(sale, { maxLength: 8 }), (sales) => {
        const report = newReport();
        const [paid, back, tips]: number[][] = [[], [], []];
        for (const { at, lines, orderType, staffName, off, tip, refunded } of sales) {
          const stored = lines.map((line, index) => lineOf(line, index, orderType));
          const charged = sum(stored.filter((line) => line.voided !== true).map((line) => line.total ?? 0));
          const amount = -Math.round(charged * off) / 100;
          const adjustments = amount === 0 ? [] : [{ kind: "discount" as const, amount }];
          const check = checkOf(stored, { orderType, staffName, tip, adjustments });
          report.addCheck(at, check);
          paid?.push(check.totals.total);
          tips?.push(tip);
          const first = stored.find((line) => line.voided !== true);
          if (!refunded || first === undefined) continue;
          const chosen = [{ lineId: first.id, quantity: 1 }];
          const refundOfLine = refundAmount(check, chosen);
          report.addRefund({ at, posReference: "A", refund: refundOf(refundOfLine, chosen), check, before: [] });
          back?.push(refundOfLine);
        }
        const { totals, parts, hours, dishes, waiters } = report.read();
        const [total, refundTotal, tipped] = [sum(paid ?? []), sum(back ?? []), sum(tips ?? [])];
        expect(totals.paidAmount).toBe(total);
        expect(totals.refunds?.amount ?? 0).toBe(refundTotal);
        for (const rows of [hours, dishes, waiters]) {
          expect(sum(rows.map(({ amount }) => amount))).toBe(total);
          expect(sum(rows.map(({ refunded }) => refunded))).toBe(refundTotal);
        }
        for (const rows of [hours, waiters]) expect(sum(rows.map((row) => row.tips))).toBe(tipped);
        expect(sum([parts.net, ...parts.taxes.map(({ amount }) => amount)])).toBe(total);
        expect(sum([parts.refundedNet, ...parts.taxes.map(({ refunded }) => refunded)])).toBe(refundTotal);
      }),
      { numRuns },
    );
  });

  it("a dish refunded in two parts is refunded to the cent [OP-508]", () => {
    const line = lineOf({ productId: 1, unitPrice: 33.33, quantity: 3, voided: false, percent: 0 }, 0, "takeout");
    const check = checkOf([line]);
    const report = newReport();
    report.addCheck(0, check);
    const one = [{ lineId: "l0", quantity: 1 }];
    const two = [{ lineId: "l0", quantity: 2 }];
    const at = { at: 0, posReference: "A", check };
    report.addRefund({ ...at, refund: refundOf(refundAmount(check, one), one), before: [] });
    report.addRefund({ ...at, refund: refundOf(refundAmount(check, two, one), two), before: one });
    const { dishes, parts, totals } = report.read();
    expect(dishes).toEqual([{ productId: "1", quantity: 3, refundedQuantity: 3, amount: 117.99, refunded: 117.99 }]);
    expect(totals.refunds).toEqual({ notes: 2, amount: 117.99 });
    expect(parts.taxes).toEqual([{ name: "ITBIS", amount: 18, refunded: 18 }]);
    expect(parts).toMatchObject({ net: 99.99, refundedNet: 99.99 });
  });

  it("refunds name who made and who approved them [UI-404]", () => {
    const check = checkOf([
      lineOf({ productId: 1, unitPrice: 100, quantity: 1, voided: false, percent: 0 }, 0, "takeout"),
    ]);
    const report = newReport();
    report.addCheck(0, check);
    const refund = { ...refundOf(118, [{ lineId: "l0", quantity: 1 }]), approvedBy: "Rosa" };
    report.addRefund({ at: 0, posReference: "A", check, refund, before: [] });
    expect(report.read().refunds).toMatchObject([{ by: "Marisol", approvedBy: "Rosa" }]);
  });

  it("voids and discounts are valued at what the dish would have cost [OP-509]", () => {
    const plain = { productId: 1, unitPrice: 100, voided: false, percent: 0 };
    const part = lineOf({ ...plain, quantity: 3 }, 0, "takeout");
    const whole = { ...lineOf({ ...plain, quantity: 2 }, 1, "takeout"), voided: true, voidReason: "se cayó" };
    const cheaper = lineOf({ ...plain, quantity: 1, percent: 25 }, 2, "takeout");
    const report = newReport();
    // One of four is void; the total covers the other three.
    report.addCheck(0, checkOf([{ ...part, quantity: 4, voidedQuantity: 1 }, whole, cheaper], { staffName: "Ana" }));
    const { discounts, voids } = report.read();
    const place = { orderType: "takeout", tableId: null, ticketNumber: null, checkNumber: null };
    const about = { posReference: "A", place, staffName: "Ana", productId: "1" };
    expect(voids).toEqual([
      { ...about, amount: 236, quantity: 2, reason: "se cayó" },
      { ...about, amount: 118, quantity: 1, reason: null },
    ]);
    expect(discounts).toEqual([{ ...about, amount: 29.5, quantity: 1, reason: null }]);
  });

  it("comps are valued at list price, whatever discount their line had [TILL-34]", () => {
    const line = lineOf({ productId: 1, unitPrice: 100, quantity: 1, voided: false, percent: 25 }, 0, "takeout");
    const whole = { ...line, voided: true, comp: true };
    const part = { ...line, id: "part", quantity: 3, voidedQuantity: 2, comp: true };
    const report = newReport();
    report.addCheck(0, checkOf([whole, part, { ...line, id: "void", voided: true }]));
    const { comps, voids, discounts } = report.read();
    expect(comps.map(({ amount }) => amount)).toEqual([236, 118]);
    expect(voids.map(({ amount }) => amount)).toEqual([88.5]);
    expect(discounts.map(({ amount }) => amount)).toEqual([29.5]);
  });

  it("modifiers in another system's form count by those with a price, including taxes [PRICE-5]", () => {
    const modifiers = [{ id: 9, name: "Con leche", price: 20 }];
    const priced = { unitPrice: 80, quantity: 1, discount: { percent: 25 } };
    const { total, tax } = priceLine({ ...priced, modifiers, taxes }, { orderType: "takeout" });
    const line = {
      id: "a",
      ...priced,
      total,
      taxAmount: tax,
      taxIds: [1, 2],
      modifiers: ["Descafeinado", ...modifiers],
    };
    const report = newReport();
    report.addCheck(0, checkOf([line, { ...line, id: "given", voided: true, comp: true }]));
    const { comps, discounts } = report.read();
    // 25 % of 100, with 18 % on top.
    expect([comps[0]?.amount, discounts[0]?.amount]).toEqual([118, 29.5]);
  });

  it("comps are separate from voids, and both add up by reason and person [OP-472]", () => {
    const dish = (id: string, more: object) => ({
      ...lineOf({ productId: 1, unitPrice: 100, quantity: 1, voided: true, percent: 0 }, 0, "takeout"),
      id,
      ...more,
    });
    const report = newReport();
    const comped = dish("c", { comp: true, voidReason: "cumpleaños" });
    const lines = [dish("a", { voidReason: "se cayó" }), dish("b", { voidReason: "frío" }), comped];
    report.addCheck(0, checkOf(lines, { staffName: "Ana" }));
    report.addCheck(0, checkOf([dish("d", { voidReason: "se cayó" })], { staffName: "Luis" }));
    const { voids, comps } = report.read();
    expect(comps).toEqual([expect.objectContaining({ amount: 118, reason: "cumpleaños", staffName: "Ana" })]);
    expect(groupReductions(voids, ({ reason }) => reason)).toEqual([
      { name: "se cayó", count: 2, amount: 236 },
      { name: "frío", count: 1, amount: 118 },
    ]);
    expect(groupReductions(voids, ({ staffName }) => staffName)).toEqual([
      { name: "Ana", count: 2, amount: 236 },
      { name: "Luis", count: 1, amount: 118 },
    ]);
  });

  it("voids and comps name who allowed them, unless that is the owner of the check [OP-624]", () => {
    const line = lineOf({ productId: 1, unitPrice: 100, quantity: 1, voided: true, percent: 0 }, 0, "takeout");
    const report = newReport();
    const byRosa = { ...line, voidedBy: "Rosa" };
    const lines = [byRosa, { ...line, id: "own", voidedBy: "Ana" }, { ...byRosa, id: "comp", comp: true }];
    report.addCheck(0, checkOf(lines, { staffName: "Ana" }));
    const sent = { ...line, voided: false, sentQuantity: 1 };
    report.addDiscarded(checkOf([sent, { ...byRosa, sentQuantity: 1 }], { staffName: "Ana" }), "se fueron", "Pedro");
    const { voids, comps } = report.read();
    expect(voids.map(({ by = null }) => by)).toEqual(["Rosa", null, "Pedro", "Rosa"]);
    expect(comps.map(({ by = null }) => by)).toEqual(["Rosa"]);
  });

  it("a discarded check reports as voids the dishes that the kitchen had [OP-509]", () => {
    const line = lineOf({ productId: 1, unitPrice: 100, quantity: 2, voided: false, percent: 0 }, 0, "takeout");
    const unsent = lineOf({ productId: 2, unitPrice: 50, quantity: 1, voided: false, percent: 0 }, 1, "takeout");
    const report = newReport();
    report.addDiscarded(checkOf([{ ...line, sentQuantity: 2 }, unsent]), "se fueron");
    expect(report.read()).toMatchObject({
      totals: { paidOrders: 0, paidAmount: 0 },
      voids: [{ amount: 236, quantity: 2, productId: "1", reason: "se fueron", isDiscarded: true }],
    });
  });

  it("comps of a discarded check stay separate from its voids [OP-472]", () => {
    const line = lineOf({ productId: 1, unitPrice: 100, quantity: 3, voided: false, percent: 25 }, 0, "takeout");
    const comped = { ...line, sentQuantity: 3, voided: true, comp: true, voidReason: "cumpleaños" };
    const report = newReport();
    report.addDiscarded(checkOf([comped, { ...comped, id: "unsent", sentQuantity: 0 }]), "cumpleaños");
    expect(report.read()).toMatchObject({
      comps: [{ amount: 354, quantity: 3, reason: "cumpleaños" }],
      voids: [],
    });
    const partly = { ...comped, voided: false, voidedQuantity: 1 };
    const reportOfPart = newReport();
    reportOfPart.addDiscarded(checkOf([partly]), "se fueron");
    expect(reportOfPart.read()).toMatchObject({
      comps: [{ amount: 118, quantity: 1, reason: "cumpleaños" }],
      voids: [{ quantity: 2, reason: "se fueron", isDiscarded: true }],
    });
  });

  it("lines of a discarded check that were void before keep their void reason [OP-509]", () => {
    const line = lineOf({ productId: 1, unitPrice: 100, quantity: 1, voided: true, percent: 0 }, 0, "takeout");
    const cold = { ...line, sentQuantity: 1, voidReason: "frío" };
    const report = newReport();
    report.addDiscarded(checkOf([cold, { ...cold, id: "b", voidReason: "se cayó" }]), "se cayó");
    expect(report.read().voids.map(({ reason }) => reason)).toEqual(["frío", "se cayó"]);
  });

  it("a partial void of a line of a discarded check keeps its reason [OP-509]", () => {
    const line = lineOf({ productId: 1, unitPrice: 100, quantity: 2, voided: false, percent: 0 }, 0, "takeout");
    const report = newReport();
    const partly = { ...line, quantity: 3, voidedQuantity: 1, voidReason: "frío" };
    report.addDiscarded(checkOf([{ ...partly, sentQuantity: 3 }]), "se fueron");
    expect(report.read().voids).toMatchObject([
      { amount: 236, quantity: 2, reason: "se fueron", isDiscarded: true },
      { amount: 118, quantity: 1, reason: "frío", isDiscarded: true },
    ]);
    // The voided part was never sent.
    const unsent = newReport();
    unsent.addDiscarded(checkOf([{ ...partly, sentQuantity: 2 }]), "se fueron");
    expect(unsent.read().voids).toMatchObject([{ amount: 236, quantity: 2, reason: "se fueron" }]);
  });

  it("a discarded line is valued at the sent quantity, not the ordered one [OP-509]", () => {
    const line = lineOf({ productId: 1, unitPrice: 100, quantity: 3, voided: false, percent: 0 }, 0, "takeout");
    const report = newReport();
    report.addDiscarded(checkOf([{ ...line, sentQuantity: 2 }]), null);
    const { total = 0 } = line;
    const partly = { ...line, voidedQuantity: 1, total: (total * 2) / 3, sentQuantity: 1 };
    report.addDiscarded(checkOf([partly]), null);
    expect(report.read().voids).toMatchObject([
      { amount: 236, quantity: 2 },
      { amount: 118, quantity: 1 },
    ]);
  });

  it("a check that cannot be read counts as it was paid [OP-508]", () => {
    const report = newReport();
    report.addUnreadable(0, { total: 100, payments: [{ methodId: 2, amount: 100, tip: 5 }] });
    const { totals, dishes, waiters, unreadable } = report.read();
    expect(totals).toMatchObject({ paidOrders: 1, paidAmount: 100, tips: 5 });
    expect(dishes).toEqual([expect.objectContaining({ productId: null, amount: 100 })]);
    expect(waiters).toEqual([expect.objectContaining({ name: null, checks: 1, amount: 100, tips: 5 })]);
    expect(unreadable).toBe(1);
  });
});
