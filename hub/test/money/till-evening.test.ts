// @module-tag long
import type { ClosingReport, Payment, ShiftReport } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import fc from "fast-check";
import { expect, it } from "vitest";
import { rates, startEvenings, step } from "./till-evening.ts";
import { CARD, CASH } from "./till-hub.ts";
import { until } from "../support/until.ts";

/** Evenings that share one hub and one POS session. */
const EVENINGS_OF_A_HUB = 40;

type Evenings = Awaited<ReturnType<typeof startEvenings>>;

interface BookedOrder {
  posReference: string;
  order: { snapshot: { payments: Payment[] } };
}

/** Waits until the back-office has everything, then returns the payments and credit notes that it has booked. */
async function readBooks({ operator, backOffice }: Evenings) {
  const { totals } = await until("the back-office has everything", async () => {
    const closing = (await operator("closing")).body as ClosingReport;
    return closing.totals.notYetInAccounting === 0 && closing;
  });
  const { orders } = (await backOffice.control("GET", "/orders")) as { orders: BookedOrder[] };
  const { notes } = (await backOffice.control("GET", "/credit-notes")) as {
    notes: { refundId: string; total: number }[];
  };
  return { totals, orders, notes, payments: orders.flatMap(({ order }) => order.snapshot.payments) };
}

/** Checks by method that shifts, late entries and money without a shift add up to the closing page and the back-office. */
async function checkSums(evenings: Evenings): Promise<void> {
  const { operator, report, noShift: readNoShift, closed, done, refunds } = evenings;
  const { totals, orders, notes, payments } = await readBooks(evenings);
  const listed = (await operator("shifts")).body.shifts as { id: string }[];
  const reports: ShiftReport[] = [];
  for (const { id } of listed) reports.push(await report(id));
  const noShift = await readNoShift();
  const late = reports.flatMap((each) => each.late);
  // The list is limited to the newest thousand.
  expect(noShift.payments.length).toBeLessThan(1_000);

  expect(orders).toHaveLength(totals.paidOrders);
  for (const methodId of [CASH, CARD].map(String)) {
    const isOf = ({ methodId: id }: { methodId: string | number }) => String(id) === methodId;
    const pesos = reports.flatMap(({ byMethod }) =>
      byMethod.filter((each) => isOf(each) && each.currency === undefined),
    );
    const entries = [...pesos, ...noShift.byMethod.filter(isOf)];
    const sold = late.filter((each) => isOf(each) && each.kind !== "refund");
    const back = late.filter((each) => isOf(each) && each.kind === "refund");
    const sums = {
      sales: sum([...entries.map(({ sales }) => sales), ...sold.map(({ amount }) => amount)]),
      tips: sum([...entries.map(({ tips }) => tips), ...sold.map(({ tip }) => tip)]),
      refunded: sum([...entries.map(({ refunded }) => refunded), ...back.map(({ amount }) => -amount)]),
    };
    const method = totals.byMethod.find(isOf);
    expect(sums).toEqual({ sales: method?.amount ?? 0, tips: method?.tips ?? 0, refunded: method?.refunded ?? 0 });
    const booked = payments.filter((each) => String(each.methodId) === methodId);
    const refunded = refunds.filter(isOf);
    expect(sums).toEqual({
      sales: sum(booked.map(({ amount }) => amount)),
      tips: sum(booked.map(({ tip = 0 }) => tip)),
      refunded: sum(refunded.map(({ amount }) => amount)),
    });
  }
  for (const currency of ["USD", "EUR"] as const) {
    const inShifts = reports.flatMap(({ byMethod }) => byMethod.filter((each) => each.currency === currency));
    const beside = [...late, ...noShift.payments].filter((each) => each.currency === currency);
    const units = beside.map(({ foreignAmount = 0 }) => foreignAmount);
    const booked = payments.flatMap(({ foreign }) => (foreign?.currency === currency ? [foreign] : []));
    expect(booked.every(({ rate }) => rate === rates[currency])).toBe(true);
    expect(sum([...inShifts.map(({ sales }) => sales), ...units])).toBe(sum(booked.map(({ amount }) => amount)));
  }

  const refundIds = [...new Set(refunds.map(({ refundId }) => refundId))];
  expect(notes.map(({ refundId }) => refundId)).toEqual(refundIds);
  expect(sum(notes.map(({ total }) => total))).toBe(sum(refunds.map(({ amount }) => amount)));
  expect(totals.refunds?.notes ?? 0).toBe(notes.length);

  const actions = reports.map(({ id, moves, counts }) => {
    return [id, { moved: moves.map(({ amount }) => amount), counts: counts.length }] as const;
  });
  expect(new Map(actions)).toEqual(done);
  for (const [id, z] of closed) {
    const { late: _, ...now } = reports.find((each) => each.id === id) as ShiftReport;
    const { late: __, ...then } = z;
    expect(now).toEqual(then);
  }
}

it(
  "shifts and money without a shift add up to the closing page and the books despite kills [TILL-15, TILL-31]",
  { timeout: 900_000 },
  async () => {
    const runs = Number(process.env["TILL_EVENINGS"] ?? 8);
    const seed = Number(process.env["TILL_SEED"] ?? 29);
    const samples = fc.sample(fc.array(step, { minLength: 15, maxLength: 40 }), { numRuns: runs, seed });
    let closed = 0;
    for (let from = 0; from < samples.length; from += EVENINGS_OF_A_HUB) {
      const evenings = await startEvenings();
      for (const steps of samples.slice(from, from + EVENINGS_OF_A_HUB)) {
        for (const eveningStep of steps) await evenings.do(eveningStep);
        await evenings.finish();
        await checkSums(evenings);
      }
      closed += evenings.closed.size;
      expect(new Set(evenings.refunds.map(({ methodId }) => methodId)).size).toBe(2);
    }
    expect(closed).toBeGreaterThan(runs / 2);
    expect(samples.flat().filter(({ killedAfter }) => killedAfter !== null).length).toBeGreaterThan(runs);
  },
);
