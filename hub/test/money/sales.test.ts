import { type ClosingReport, DAY_MS, HOUR_MS, type SalesReport } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { manualClock } from "../support/manual-clock.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub, type TestHubOptions } from "../support/start-test-hub.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { until } from "../support/until.ts";
import { tostones } from "./tostones.ts";

const CASH = 1;
const CARD = 2;
const quick = { HUB_FORWARD_INTERVAL_MS: "200", HUB_STATE_POLL_MS: "200" };

/** A takeout dish: 450.00 each plus 18 % ITBIS (81.00). */
const bandera = (id: string, quantity: number, more: object = {}) => ({
  id,
  productId: 108,
  quantity,
  unitPrice: 450,
  taxIds: [1],
  taxAmount: 81 * quantity,
  total: 531 * quantity,
  ...more,
});

const salesOf = async (hub: TestHub): Promise<SalesReport> => (await operatorOf(hub)("sales")).body;
const dayOf = async (hub: TestHub, day: string): Promise<SalesReport> =>
  (await operatorOf(hub)("sales", { query: { day } })).body;
/** Picks the fields that do not depend on when the report is read. */
const counted = ({
  totals,
  parts,
  hours,
  dishes,
  waiters,
  discounts,
  voids,
  comps,
  refunds,
  unreadable,
}: Omit<SalesReport, "today">) => ({
  totals,
  parts,
  hours,
  dishes,
  waiters,
  discounts,
  voids,
  comps,
  refunds,
  unreadable,
});
const closingOf = async (hub: TestHub): Promise<ClosingReport> => (await operatorOf(hub)("closing")).body;

async function startHub({ env, ...more }: TestHubOptions = {}) {
  const hub = await startTestHub({ env: { ...quick, ...env }, ...more });
  const till = await hub.terminal({ login: "cashier", deviceId: "till" });
  await until("the session is known", async () => (await closingOf(hub)).session !== null);
  await until("the configuration", async () => (await terminalApiOf(hub)("menu")).body.creditNotes !== undefined);
  return { hub, till };
}

const write = (posReference: string, snapshot: object) => ({
  type: "ORDER_UPSERT",
  posReference,
  baseVersion: 0,
  snapshot,
});

/** Plays the evening whose expected numbers, calculated by hand, are in the tests. */
async function playEvening(hub: TestHub, till: TestTerminal): Promise<void> {
  // Two tostones at a table by card with a tip of 50.00; a third was voided.
  const atTable = { orderType: "dine_in", tableId: 1, guestCount: 2, staffName: "Ana" };
  const voided = tostones("b", 1, { voided: true, voidReason: "se cayó" });
  await till.change(write("A", { ...atTable, lines: [tostones("a", 2), voided] }));
  await till.change({
    type: "ORDER_PAY",
    posReference: "A",
    baseVersion: 1,
    payments: [{ methodId: CARD, amount: 576, tip: 50 }],
  });
  // One bandera with 31.00 off the check.
  const discounted = {
    orderType: "takeout",
    staffName: "Luis",
    lines: [bandera("a", 1)],
    adjustments: [{ kind: "discount", amount: -31, reason: "cliente de siempre" }],
  };
  await till.change(write("B", discounted));
  await till.change({
    type: "ORDER_PAY",
    posReference: "B",
    baseVersion: 1,
    payments: [{ methodId: CASH, amount: 500 }],
  });
  // Two banderas, one of which is given back in cash.
  await till.change(write("C", { orderType: "takeout", staffName: "Luis", lines: [bandera("m", 2)] }));
  await till.change({
    type: "ORDER_PAY",
    posReference: "C",
    baseVersion: 1,
    payments: [{ methodId: CASH, amount: 1062 }],
    fiscal: { type: "E32" },
  });
  await until("accounting has it", async () => {
    const { body } = await operatorOf(hub)("order", { params: { posReference: "C" } });
    return body.order.snapshot.status === "closed";
  });
  const body = {
    refundId: crypto.randomUUID(),
    lines: [{ lineId: "m", quantity: 1 }],
    reason: "frío",
    refund: [{ methodId: CASH, amount: 531 }],
  };
  await operatorOf(hub)("refund", { params: { posReference: "C" }, body });
  // Discarded after it was sent to the kitchen.
  await till.change(write("D", { ...atTable, tableId: 2, lines: [tostones("a", 1)] }));
  await till.change({ type: "ORDER_SEND", posReference: "D" });
  await till.change({ type: "ORDER_DISCARD", posReference: "D", baseVersion: 2, reason: "se fueron" });
  // Open checks do not count as sales.
  await till.change(write("E", { ...atTable, tableId: 3, lines: [tostones("a", 1)] }));
}

describe("sales reports ", () => {
  it("the sales report equals an evening calculated by hand, also after a restart [OP-472] [OP-507] [OP-508] [OP-509] [OP-624]", async () => {
    const { hub, till } = await startHub();
    await playEvening(hub, till);
    const sales = await salesOf(hub);
    expect(sales.totals).toEqual({
      paidOrders: 3,
      paidAmount: 2138,
      tips: 50,
      refunds: { notes: 1, amount: 531 },
      byMethod: [
        { methodId: 2, amount: 576, payments: 1, tips: 50 },
        { methodId: 1, amount: 1562, payments: 2, refunded: 531 },
      ],
    });
    expect(sales.parts).toEqual({
      // Net: 450 + (450 − 31) + 900. Refunded: 450.
      net: 1769,
      refundedNet: 450,
      taxes: [
        { name: "ITBIS 18 %", amount: 324, refunded: 81 },
        { name: "Propina legal 10 %", amount: 45, refunded: 0 },
      ],
      charges: 0,
      rounding: 0,
    });
    expect(sales.dishes).toEqual([
      { productId: "108", quantity: 3, refundedQuantity: 1, amount: 1562, refunded: 531 },
      { productId: "101", quantity: 2, refundedQuantity: 0, amount: 576, refunded: 0 },
    ]);
    expect(sales.waiters).toEqual([
      { name: "Luis", checks: 2, guests: 2, amount: 1562, refunded: 531, tips: 0 },
      { name: "Ana", checks: 1, guests: 2, amount: 576, refunded: 0, tips: 50 },
    ]);
    expect(sales.discounts).toEqual({
      count: 1,
      amount: 31,
      largest: [
        expect.objectContaining({ posReference: "B", staffName: "Luis", amount: 31, reason: "cliente de siempre" }),
      ],
      byReason: [{ name: "cliente de siempre", count: 1, amount: 31 }],
      byPerson: [{ name: "Luis", count: 1, amount: 31 }],
    });
    const by = till.hello.user.name;
    expect(sales.voids).toMatchObject({ count: 2, amount: 576, byPerson: [{ name: by, count: 2, amount: 576 }] });
    expect(sales.voids.largest).toEqual(
      expect.arrayContaining([
        {
          posReference: "A",
          place: { orderType: "dine_in", tableId: 1, ticketNumber: null, checkNumber: 1 },
          staffName: "Ana",
          amount: 288,
          reason: "se cayó",
          productId: "101",
          quantity: 1,
          by,
        },
        expect.objectContaining({ posReference: "D", amount: 288, reason: "se fueron", by, isDiscarded: true }),
      ]),
    );
    expect(sales.refunds).toEqual([
      expect.objectContaining({ posReference: "C", amount: 531, by: "Marisol Peña", reason: "frío" }),
    ]);
    const hours = sales.hours.map(({ amount, refunded, checks, tips }) => ({ amount, refunded, checks, tips }));
    // The evening may span two hours of the clock.
    expect(hours.reduce((all, hour) => all + hour.amount, 0)).toBe(2138);
    expect(hours.reduce((all, hour) => all + hour.refunded, 0)).toBe(531);
    expect(hours.reduce((all, hour) => all + hour.tips, 0)).toBe(50);
    expect(sales.hours.every(({ from }) => from.endsWith(":00:00.000Z"))).toBe(true);
    expect(sales.unreadable).toBe(0);

    const closing = await closingOf(hub);
    const { notYetInAccounting: _, ...closed } = closing.totals;
    expect(sales.totals).toEqual(closed);
    expect(sales.since).toBe(closing.session?.since);
    await hub.restart();
    const { asOf: _before, ...again } = await salesOf(hub);
    const { asOf: _after, ...first } = sales;
    expect(again).toEqual(first);
    expect((await closingOf(hub)).totals).toMatchObject(closed);
  });

  it("the sales of a business day equal the closing of its session to the cent [OP-470]", async () => {
    const { hub, till } = await startHub();
    await playEvening(hub, till);
    const { today, ...session } = await salesOf(hub);
    const { asOf: _, since: _since, until: _until, day, ...ofDay } = await dayOf(hub, today);
    expect(day).toBe(today);
    expect(ofDay).toMatchObject({ ...counted(session), today, keptSince: null });
    const { notYetInAccounting: _not, ...closed } = (await closingOf(hub)).totals;
    expect(ofDay.totals).toEqual(closed);
    const other = await dayOf(hub, "2026-01-31");
    expect(other).toMatchObject({
      day: "2026-01-31",
      totals: { paidOrders: 0, paidAmount: 0, byMethod: [] },
      voids: { count: 0 },
      hours: [],
      refunds: [],
    });
    expect(Date.parse(other.until ?? "") - Date.parse(other.since)).toBe(24 * 3_600_000);
    expect(await operatorOf(hub)("sales", { query: { day: "2026-02-30" } })).toMatchObject({ status: 400 });
  });

  it("several business days in a row give one report with sales by day [HUB-182]", async () => {
    const { hub, till } = await startHub();
    await playEvening(hub, till);
    const { today } = await salesOf(hub);
    const {
      since: _since,
      day: _day,
      through: _one,
      hours,
      days: _days,
      asOf: _at,
      ...ofDay
    } = await dayOf(hub, today);
    const read = async (query: Record<string, string>) => operatorOf(hub)("sales", { query });
    const first = new Date(Date.parse(today) - 6 * DAY_MS).toISOString().slice(0, 10);
    const week: SalesReport = (await read({ day: first, through: today })).body;
    expect(week).toMatchObject({ ...ofDay, day: first, through: today, hours: [] });
    const whole = (field: "checks" | "guests" | "amount" | "refunded" | "tips") =>
      hours.reduce((all, hour) => all + hour[field], 0);
    expect(week.days).toEqual([
      {
        day: today,
        checks: whole("checks"),
        guests: whole("guests"),
        amount: 2138,
        refunded: whole("refunded"),
        tips: whole("tips"),
      },
    ]);
    for (const query of [
      { through: today },
      { day: today, through: first },
      { day: "2026-01-01", through: "2026-02-01" },
    ]) {
      expect((await read(query)).body).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    }
  });

  it("guests of split and merged checks count once [OP-507, RULE-42]", async () => {
    const { hub, till } = await startHub();
    const at = (tableId: number, guestCount: number, ...lines: object[]) => {
      return { orderType: "dine_in", tableId, guestCount, staffName: "Ana", lines };
    };
    const [first, second, third] = ["a", "b", "c"].map((id) => tostones(id, 1));
    await till.change(write("A", at(1, 4, first!, second!)));
    await till.change(write("C", at(2, 3, third!)));
    const split = [write("B", at(1, 4, second!)), { ...write("A", at(1, 4, first!)), baseVersion: 1 }];
    await till.change({ type: "ORDER_BATCH", orders: split });
    await till.change({ ...write("B", { tableId: 7 }), baseVersion: 1 });
    const merged = [write("A", { lines: [first, third] }), write("C", at(2, 3))];
    await till.change({
      type: "ORDER_BATCH",
      orders: merged.map((each, index) => ({ ...each, baseVersion: 2 - index })),
    });
    for (const [posReference, baseVersion, amount] of [
      ["B", 2, 288],
      ["A", 3, 576],
    ]) {
      await till.change({ type: "ORDER_PAY", posReference, baseVersion, payments: [{ methodId: CASH, amount }] });
    }
    const { waiters } = await salesOf(hub);
    expect(waiters).toEqual([{ name: "Ana", checks: 2, guests: 7, amount: 864, refunded: 0, tips: 0 }]);
  });

  it("guests who stay past the end of the day count on the day of their party's first payment [OP-507, RULE-42]", async () => {
    const clock = manualClock(Date.parse("2026-11-20T04:30:00-04:00"));
    const env = { HUB_TIME_ZONE: "America/Santo_Domingo" };
    const { hub, till } = await startHub({ env, world: clock.world });
    const at = (...lines: object[]) => ({ orderType: "dine_in", tableId: 1, guestCount: 4, staffName: "Ana", lines });
    const pay = (terminal: TestTerminal, posReference: string, baseVersion: number) =>
      terminal.change({ type: "ORDER_PAY", posReference, baseVersion, payments: [{ methodId: CASH, amount: 288 }] });
    await till.change(write("A", at(tostones("a", 1), tostones("b", 1), tostones("c", 1))));
    for (const [part, remaining] of [
      ["B", [tostones("a", 1), tostones("b", 1)]],
      ["C", [tostones("a", 1)]],
    ] as const) {
      const origin = { ...write("A", at(...remaining)), baseVersion: part === "B" ? 1 : 2 };
      await till.change({
        type: "ORDER_BATCH",
        orders: [write(part, at(tostones(part === "B" ? "c" : "b", 1))), origin],
      });
    }
    await pay(till, "B", 1);
    clock.advance(HOUR_MS);
    // The hub has dropped the silent till's connection.
    const again = await hub.terminal({ login: "cashier", deviceId: "till" });
    // One more guest has joined the party.
    await again.change({ ...write("C", { guestCount: 5 }), baseVersion: 1 });
    await pay(again, "C", 2);
    await pay(again, "A", 3);
    const guestsOf = async (day: string) => (await dayOf(hub, day)).waiters.map(({ guests }) => guests);
    expect([await guestsOf("2026-11-19"), await guestsOf("2026-11-20")]).toEqual([[4], [1]]);
    expect((await salesOf(hub)).waiters).toMatchObject([{ guests: 5 }]);
  });

  it("only managers see the sales report [OP-507]", async () => {
    const hub = await startTestHub();
    expect(await operatorOf(hub)("sales", { token: null })).toMatchObject({ status: 401 });
    expect(await operatorOf(hub)("sales", { token: await hub.signIn("waiter") })).toMatchObject({ status: 403 });
  });
});
