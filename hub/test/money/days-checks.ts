import {
  type NoShift,
  type OrderSummary,
  type Payment,
  type SalesReport,
  type ShiftReport,
  type TipsOfDay,
} from "@comanda/protocol";
import { sum } from "@comanda/rules";
import { expect } from "vitest";
import type { operatorOf } from "../support/operator.ts";
import type { TestHub } from "../support/start-test-hub.ts";
import { CASH, type createAccount, dayOf } from "./days-account.ts";

/** A service whose hub is compared with an independent account. */
export interface CheckedService {
  hub: Pick<TestHub, "external" | "backOffice">;
  operator: ReturnType<typeof operatorOf>;
  account: ReturnType<typeof createAccount>;
  now: () => number;
  /** The reports of closed shifts, as they were at the closing. */
  closed: ReadonlyMap<string, ShiftReport>;
}
type Sales = ReturnType<CheckedService["account"]["sales"]>;

export const sorted = <T>(list: readonly T[]): T[] =>
  list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
const cents = (amount: number): number => Math.round(amount * 100) / 100;

function checkSales(report: SalesReport, account: Sales): void {
  const { totals, waiters, hours, dishes, refunds, parts } = report;
  expect(totals.paidOrders).toBe(account.checks);
  expect(totals.paidAmount).toBe(account.amount);
  expect(totals.tips ?? 0).toBe(account.tips);
  expect(totals.refunds ?? { notes: 0, amount: 0 }).toEqual({ notes: account.notes, amount: account.refunded });
  const methods = totals.byMethod.map(
    ({ methodId, amount, tips = 0, refunded = 0 }) => [methodId, { amount, tips, refunded }] as const,
  );
  expect(new Map(methods)).toEqual(account.methods);
  expect(new Map(waiters.map(({ name, ...of }) => [name, of]))).toEqual(account.byWaiter);
  for (const field of ["checks", "guests", "amount", "refunded", "tips"] as const) {
    const all = report.through === null ? hours : report.days;
    expect(sum(all.map((hour) => hour[field])), field).toBe(account[field]);
  }
  expect(sum(dishes.map(({ amount }) => amount))).toBe(account.amount);
  expect(sum(refunds.map(({ amount }) => amount))).toBe(account.refunded);
  expect(sum([parts.net, ...parts.taxes.map(({ amount }) => amount), parts.charges, parts.rounding])).toBe(
    account.amount,
  );
}

export async function checkDays({ operator, account, now, hub }: CheckedService, timeZone: string): Promise<void> {
  const days = account.days();
  for (const day of days) {
    const own = account.sales(day);
    checkSales((await operator("sales", { query: { day } })).body, own);
    const tips: TipsOfDay = (await operator("tips", { query: { day } })).body;
    const tipsByWaiter = [...own.tipsOf].filter(([, { legal, voluntary }]) => legal !== 0 || voluntary !== 0);
    expect(sorted(tips.waiters)).toEqual(sorted(tipsByWaiter.map(([userName, each]) => ({ userName, ...each }))));
    const { shifts } = (await operator("shifts", { query: { day } })).body;
    const opened = account.shifts.filter(({ openedAt }) => dayOf(openedAt, timeZone) === day);
    expect(shifts.map(({ id }: { id: string }) => id).toSorted()).toEqual(opened.map(({ id }) => id).toSorted());
  }
  const [first = "", last = ""] = [days[0], days.at(-1)];
  const all: SalesReport = (await operator("sales", { query: { day: first, through: last } })).body;
  checkSales(all, account.sales(null));
  expect(all.days).toEqual(
    days.map((day) => {
      const { checks, guests, amount, refunded, tips } = account.sales(day);
      return { day, checks, guests, amount, refunded, tips };
    }),
  );
  expect(all.today).toBe(dayOf(now(), timeZone));
  const { asOf: _, ...session }: SalesReport = (await operator("sales")).body;
  expect(session.totals).toEqual(all.totals);
  const { notYetInAccounting: _not, ...totals } = (await operator("closing")).body.totals;
  expect(totals).toEqual(all.totals);

  const { body } = await hub.external().get("/orders?status=all");
  const closed = (body.orders as OrderSummary[]).filter(({ status }) => status === "closed");
  const listed = closed.map(({ posReference, totals: { total } }) => ({ posReference, total }));
  expect(sorted(listed)).toEqual(sorted(account.sold.map(({ posReference, total }) => ({ posReference, total }))));
}

export async function checkShifts({ operator, account, closed }: CheckedService): Promise<void> {
  for (const shift of account.shifts) {
    const report: ShiftReport = (await operator("shift", { params: { shiftId: shift.id } })).body;
    const { methods, expectedCash } = account.expectedShift(shift);
    const found = report.byMethod.map(
      ({ methodId, sales, tips, refunded }) => [methodId, { sales, tips, refunded }] as const,
    );
    const isSome = ([, each]: (typeof found)[number]): boolean => Object.values(each).some((amount) => amount !== 0);
    expect(sorted(found.filter(isSome)), shift.id).toEqual(sorted([...methods].filter(isSome)));
    expect(report.byMethod.find(({ methodId }) => methodId === CASH)?.expected ?? shift.float).toBe(expectedCash);
    const all = [...methods.values()];
    expect(cents(sum(report.tips.map(({ amount }) => amount)))).toBe(cents(sum(all.map(({ tips }) => tips))));
    expect(report.refunds.amount).toBe(cents(sum(all.map(({ refunded }) => refunded))));
    expect(report.state).toBe(shift.countedAt === null ? "open" : "closed");
    expect([report.openedAt, report.countedAt].map((at) => at && Date.parse(at))).toEqual([
      shift.openedAt,
      shift.countedAt,
    ]);
    const late = account.late(shift.id).map(({ identity, amount, tip }) => ({ paymentId: identity, amount, tip }));
    expect(sorted(report.late.map(({ paymentId, amount, tip }) => ({ paymentId, amount, tip })))).toEqual(sorted(late));
    const z = closed.get(shift.id);
    if (z !== undefined) expect({ ...report, late: [] }).toEqual({ ...z, late: [] });
  }
  const none: NoShift = (await operator("noShift")).body;
  const unassigned = none.payments.map(({ posReference, kind, methodId, amount, tip }) => ({
    posReference,
    kind,
    methodId,
    amount,
    tip,
  }));
  expect(sorted(unassigned)).toEqual(
    sorted(
      account
        .unassigned()
        .map(({ posReference, kind, methodId, amount, tip }) => ({ posReference, kind, methodId, amount, tip })),
    ),
  );
}

export async function checkBooks({ hub, account }: CheckedService): Promise<void> {
  const { orders } = (await hub.backOffice.control("GET", "/orders")) as {
    orders: { posReference: string; total: number; order: { snapshot: { payments: Payment[] } } }[];
  };
  const booked = orders.map(({ posReference, total, order: { snapshot } }) => ({
    posReference,
    total,
    paid: cents(sum(snapshot.payments.map(({ amount }) => amount))),
    tips: cents(sum(snapshot.payments.map(({ tip = 0 }) => tip))),
  }));
  const own = account.sold.map(({ posReference, total, payments }) => ({
    posReference,
    total,
    paid: cents(sum(payments.map(({ amount }) => amount))),
    tips: cents(sum(payments.map(({ tip }) => tip))),
  }));
  expect(sorted(booked)).toEqual(sorted(own));
  const { notes } = (await hub.backOffice.control("GET", "/credit-notes")) as { notes: { total: number }[] };
  expect(sorted(notes.map(({ total }) => total))).toEqual(sorted(account.refunds.map(({ amount }) => amount)));
}
