import { beforeEach, describe, expect, it } from "vitest";
import { broadcastOrder } from "../support/broadcast-order.ts";
import { line, takeoutOrder, terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { operatorOf } from "../support/operator.ts";
import { refusal } from "../support/refusal.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const CASH = 1;
const CARD = 2;

const checkOf = (total: number, overrides: Record<string, unknown> = {}) =>
  terminalSnapshot({ lines: [{ id: "a", productId: 101, quantity: 1, unitPrice: total, total }], ...overrides });

const write = (terminal: TestTerminal, posReference: string, baseVersion: number, snapshot = checkOf(850)) =>
  terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion, snapshot });

const tender = (posReference: string, methodId: number, amount: number, more: Record<string, unknown> = {}) => ({
  type: "ORDER_TENDER",
  tenderId: crypto.randomUUID(),
  posReference,
  methodId,
  amount,
  ...more,
});

const pay = (posReference: string, baseVersion: number, ...payments: Record<string, unknown>[]) => ({
  type: "ORDER_PAY",
  posReference,
  baseVersion,
  payments,
});

const voidTender = (tenderId: unknown, reason = "wrong card") => ({ type: "ORDER_TENDER_VOID", tenderId, reason });

let hub: TestHub;
let till: TestTerminal;
let waiter: TestTerminal;

beforeEach(async () => {
  hub = await startTestHub();
  await until("the menu is read", async () => (await hub.send("GET", "/health")).body.lastErpSync);
  till = await hub.terminal({ login: "cashier", deviceId: "till" });
  waiter = await hub.terminal({ deviceId: "waiter" });
});

const closing = async () => (await operatorOf(hub)("closing")).body;

/** Waits for an order in the back-office and returns it. */
const booked = (posReference: string): Promise<{ order: { snapshot: Record<string, unknown> } }> =>
  until(`${posReference} is booked`, async () => {
    const { orders } = await hub.backOffice.control("GET", "/orders");
    return orders.find((each: { posReference: string }) => each.posReference === posReference);
  });

describe("tenders ", () => {
  it("a check takes at most 200 tenders, except for one that settles it [MONEY-112]", async () => {
    // A unique name: the order may reach the back-office after the next test has begun.
    await write(till, "MANY", 0);
    for (let n = 0; n < 200; n += 1) await till.change(tender("MANY", CASH, 1));
    expect(await refusal(till.change(tender("MANY", CASH, 1)))).toMatchObject({
      errorCode: "LIMIT_REACHED",
      kept: true,
    });
    expect((await operatorOf(hub)("payments")).body.payments).toMatchObject([
      { posReference: "MANY", errorCode: "LIMIT_REACHED" },
    ]);
    expect(await till.change(tender("MANY", CARD, 650))).toMatchObject({ status: "paid" });
  });

  it("a tender is stored on the check and shown to all terminals, also after a restart [MONEY-1]", async () => {
    await write(till, "A", 0);
    const first = tender("A", CARD, 300, { reference: "4242", tip: 30 });
    expect(await till.change(first)).toMatchObject({ posReference: "A", version: 2, seq: 2, status: "open" });
    const { tenderId } = first;
    const stored = {
      tenderId,
      methodId: CARD,
      amount: 300,
      reference: "4242",
      tip: 30,
      takenBy: till.hello.user.name,
      terminalId: "till",
      takenAt: expect.any(String),
    };
    expect((await broadcastOrder(waiter, "A", 2)).snapshot).toMatchObject({ status: "open", tenders: [stored] });
    await hub.restart();
    const { sync } = await hub.terminal({ deviceId: "waiter" });
    expect(sync.orders[0]?.snapshot.tenders).toEqual([stored]);
    const { body } = await operatorOf(hub)("closing");
    expect(body).toMatchObject({ ready: false, openChecks: [{ total: 850, paid: 300 }] });
    expect((await operatorOf(hub)("overview")).body.detail).toMatchObject({ openTotal: 850, openPaid: 300 });
  });

  it("a tender is accepted once, whatever the mutation id and the state of the check [MONEY-2]", async () => {
    await write(till, "A", 0);
    const first = tender("A", CARD, 300);
    await till.change(first);
    expect(await till.change(first)).toMatchObject({ posReference: "A", version: 2, duplicate: true });
    const second = tender("A", CARD, 550);
    expect(await till.change(second)).toMatchObject({ version: 3, status: "paid" });
    for (const again of [first, second]) {
      expect(await till.change(again)).toMatchObject({ posReference: "A", duplicate: true });
    }
    await write(till, "B", 0);
    expect(await refusal(till.change({ ...first, posReference: "B" }))).toMatchObject({
      errorCode: "VALIDATION_ERROR",
    });
    expect(await refusal(till.change({ ...first, amount: 301 }))).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    expect((await closing()).unappliedPayments).toEqual([]);
  });

  it("a tender that covers the check pays it in the same transaction [MONEY-3]", async () => {
    await write(till, "PAID", 0, checkOf(850, { orderType: "dine_in", tableId: 5 }));
    await till.change({ type: "ORDER_CHECKOUT", posReference: "PAID", baseVersion: 1 });
    await till.request({ type: "LEASE_ACQUIRE", posReference: "PAID" });
    const first = tender("PAID", CARD, 300);
    const last = tender("PAID", CASH, 1000);
    expect(await till.change(first)).toMatchObject({ version: 3, status: "checkout" });
    expect(await till.change(last)).toMatchObject({ version: 4, status: "paid" });
    const order = await broadcastOrder(waiter, "PAID", 4);
    expect(order).toMatchObject({
      forward: { state: "pending" },
      snapshot: {
        status: "paid",
        paidBy: till.hello.user.name,
        paidAt: expect.any(String),
        payments: [
          { tenderId: first.tenderId, methodId: CARD, amount: 300 },
          { tenderId: last.tenderId, methodId: CASH, amount: 550, tendered: 1000, change: 450 },
        ],
      },
    });
    expect(order.snapshot.payments?.[0]).not.toHaveProperty("takenBy");
    await waiter.next("TABLE_CHANGED", ({ table }) => table.tableId === 5 && table.status === "available");
    await waiter.next("LEASE_CHANGED", ({ holder }) => holder === null);
    expect((await booked("PAID")).order.snapshot["payments"]).toMatchObject([{ amount: 300 }, { amount: 550 }]);
    const { totals } = await until("it is all booked", async () => ((await closing()).ready ? closing() : null));
    expect(totals).toEqual({
      paidOrders: 1,
      paidAmount: 850,
      notYetInAccounting: 0,
      byMethod: [
        { methodId: 2, amount: 300, payments: 1 },
        { methodId: 1, amount: 550, payments: 1 },
      ],
    });
    expect((await hub.send("GET", "/health")).body.totalForwarded).toBe(1);
  });

  it("any cashier may add a tender on any terminal, and it does not conflict with edits [MONEY-4]", async () => {
    const other = await hub.terminal({ login: "manager", deviceId: "other" });
    await write(waiter, "A", 0);
    await till.change(tender("A", CARD, 300));
    await write(waiter, "A", 1, checkOf(900));
    expect((await broadcastOrder(waiter, "A", 3)).snapshot).toMatchObject({
      totals: { total: 900 },
      tenders: [{ amount: 300 }],
    });
    expect(await refusal(waiter.change(tender("A", CASH, 100)))).toMatchObject({ errorCode: "FORBIDDEN" });
    expect(await other.change(tender("A", CARD, 600))).toMatchObject({ version: 4, status: "paid" });
  });

  it("a tender above the amount due is change if in cash, and otherwise refused [MONEY-5]", async () => {
    await write(till, "A", 0);
    for (const invalid of [tender("A", CARD, 850.01), tender("A", CARD, -5), tender("A", CASH, 0)]) {
      expect(await refusal(till.change(invalid))).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    }
    await till.change(tender("A", CARD, 800));
    expect(await refusal(till.change(tender("A", CARD, 50.01)))).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    expect(await till.change(tender("A", CASH, 100))).toMatchObject({ version: 3, status: "paid" });
    expect((await broadcastOrder(till, "A", 3)).snapshot.payments).toMatchObject([
      { amount: 800 },
      { amount: 50, tendered: 100, change: 50 },
    ]);
    expect(await refusal(till.change(tender("A", CASH, 100)))).toMatchObject({ errorCode: "ORDER_LOCKED" });
  });

  it("a tender that fitted an earlier total is kept when it is too much, and gives no change [MONEY-31]", async () => {
    await write(till, "A", 0);
    await write(till, "A", 1, checkOf(50));
    for (const method of [CASH, CARD]) {
      const paid = tender("A", method, 850, { seenDue: 850 });
      expect(await refusal(till.change(paid))).toMatchObject({ errorCode: "VALIDATION_ERROR", kept: true });
    }
    await write(till, "A", 2, checkOf(50, { lines: [] }));
    expect(await refusal(till.change(tender("A", CASH, 50, { seenDue: 50 })))).toMatchObject({ kept: true });
    const { payments } = (await operatorOf(hub)("payments")).body;
    expect(payments.map(({ amount }: { amount: number }) => amount)).toEqual([850, 850, 50]);
    expect(payments.every(({ posReference }: { posReference: string }) => posReference === "A")).toBe(true);
  });

  it("a cash tender stores what was tendered and the change, which must add up [MONEY-6]", async () => {
    await write(till, "A", 0);
    const invalid = tender("A", CASH, 500, { tendered: 1000, change: 400 });
    expect(await refusal(till.change(invalid))).toMatchObject({
      errorCode: "VALIDATION_ERROR",
      error: expect.stringContaining("tendered"),
    });
    await till.change(tender("A", CASH, 500, { tendered: 1000 }));
    expect((await broadcastOrder(till, "A", 2)).snapshot.tenders).toMatchObject([
      { amount: 500, tendered: 1000, change: 500 },
    ]);
  });

  it("a tender can be voided before the check is paid, and stays listed [MONEY-7]", async () => {
    await write(till, "A", 0);
    const [first, second] = [tender("A", CARD, 300), tender("A", CARD, 850)];
    await till.change(first);
    expect(await refusal(waiter.change(voidTender(first.tenderId)))).toMatchObject({ errorCode: "FORBIDDEN" });
    expect(await refusal(till.change({ ...voidTender(first.tenderId), reason: "" }))).toMatchObject({
      errorCode: "VALIDATION_ERROR",
    });
    expect(await till.change(voidTender(first.tenderId))).toMatchObject({
      posReference: "A",
      version: 3,
      status: "open",
    });
    expect((await broadcastOrder(waiter, "A", 3)).snapshot.tenders).toMatchObject([
      { amount: 300, voided: { by: till.hello.user.name, reason: "wrong card", at: expect.any(String) } },
    ]);
    expect(await till.change(voidTender(first.tenderId))).toMatchObject({ version: 3, duplicate: true });
    expect(await till.change(first)).toMatchObject({ duplicate: true });
    expect(await till.change(second)).toMatchObject({ version: 4, status: "paid" });
    expect((await broadcastOrder(till, "A", 4)).snapshot.payments).toMatchObject([{ amount: 850 }]);
    expect(await refusal(till.change(voidTender(second.tenderId)))).toMatchObject({ errorCode: "ORDER_LOCKED" });
    expect(await refusal(till.change(voidTender(crypto.randomUUID())))).toMatchObject({ errorCode: "NOT_FOUND" });
  });

  it("a check with a tender cannot be discarded [MONEY-8]", async () => {
    await write(till, "A", 0);
    const first = tender("A", CARD, 300);
    await till.change(first);
    const discard = { type: "ORDER_DISCARD", posReference: "A", baseVersion: 2 };
    expect(await refusal(till.change(discard))).toMatchObject({ errorCode: "HAS_PAYMENTS", retryable: false });
    await till.change(voidTender(first.tenderId));
    await till.change(discard);
    expect(await till.change(first)).toMatchObject({ posReference: "A", duplicate: true });
    expect((await closing()).ready).toBe(true);
  });

  it("no edit lowers the total of a check below what is paid [MONEY-9]", async () => {
    const { posReference } = (await hub.external().post("/orders", takeoutOrder())).body;
    await till.change(tender(posReference, CARD, 100));
    const edit = (total: number) => ({
      baseVersion: 2,
      lines: [line({ unitPrice: total, total, taxAmount: 0 })],
    });
    const path = `/orders/${encodeURIComponent(posReference)}`;
    expect(await hub.external().patch(path, edit(99))).toMatchObject({
      status: 409,
      body: { errorCode: "HAS_PAYMENTS" },
    });

    await write(till, "A", 0, checkOf(50));
    await write(till, "A", 1, checkOf(850));
    await till.change(tender("A", CARD, 300));
    const emptied = { posReference: "A", baseVersion: 3, snapshot: checkOf(0, { lines: [] }) };
    const moved = { posReference: "B", baseVersion: 0, snapshot: checkOf(850) };
    for (const change of [
      write(till, "A", 3, checkOf(299)),
      till.change({ type: "ORDER_BATCH", orders: [emptied, moved] }),
    ]) {
      expect(await refusal(change)).toMatchObject({ errorCode: "HAS_PAYMENTS" });
    }
    const call = operatorOf(hub);
    const params = { posReference: "A" };
    expect(await call("revertOrder", { params, body: { version: 1, baseVersion: 3 } })).toMatchObject({
      status: 409,
      body: { errorCode: "HAS_PAYMENTS" },
    });
    await write(till, "A", 3, checkOf(300, { tenders: [] }));
    expect((await call("revertOrder", { params, body: { version: 2, baseVersion: 4 } })).status).toBe(200);
    expect((await broadcastOrder(till, "A", 5)).snapshot).toMatchObject({
      totals: { total: 850 },
      tenders: [{ amount: 300 }],
    });
  });
});

it("tenders and their voids are on the timeline of their check [OP-117]", async () => {
  await write(till, "A", 0);
  const first = tender("A", CARD, 300);
  await till.change(first);
  await till.change(voidTender(first.tenderId));
  await till.change(tender("A", CASH, 500));
  await till.change(pay("A", 4, { methodId: CASH, amount: 400 }));
  const { entries } = (await operatorOf(hub)("orderTimeline", { params: { posReference: "A" } })).body;
  const kinds = ["payment", "tender_voided"];
  const by = till.hello.user.name;
  expect(entries.filter((entry: { kind: string }) => kinds.includes(entry.kind))).toMatchObject([
    { kind: "payment", amount: 300, methodId: "2", by, tendered: null },
    { kind: "tender_voided", amount: 300, reason: "wrong card", by },
    { kind: "payment", amount: 500, methodId: "1", by },
    { kind: "payment", amount: 350, tendered: 400, change: 50, by },
  ]);
});

describe("paying", () => {
  it("ORDER_PAY counts the tenders of the check [MONEY-15]", async () => {
    await write(till, "A", 0);
    const first = tender("A", CARD, 300);
    await till.change(first);
    expect(await refusal(till.change(pay("A", 2, { methodId: CARD, amount: 549 })))).toMatchObject({
      errorCode: "VALIDATION_ERROR",
    });
    expect(await till.change(pay("A", 2, { methodId: CASH, amount: 600 }))).toMatchObject({ status: "paid" });
    expect((await broadcastOrder(till, "A", 3)).snapshot.payments).toEqual([
      { tenderId: first.tenderId, methodId: CARD, amount: 300 },
      { methodId: CASH, amount: 550, tendered: 600, change: 50 },
    ]);
  });

  it("ORDER_PAY without payments finishes a check that was lowered to what is paid [MONEY-15]", async () => {
    await write(till, "A", 0);
    await till.change(tender("A", CARD, 300));
    await write(till, "A", 2, checkOf(300));
    expect(await till.change(pay("A", 3))).toMatchObject({ version: 4, status: "paid" });
  });

  it("a check of 850 paid with 1,000 counts as 850 in the payments and the closing totals [MONEY-16]", async () => {
    await write(till, "A", 0);
    await till.change(pay("A", 1, { methodId: CASH, amount: 1000 }));
    const settled = [{ methodId: CASH, amount: 850, tendered: 1000, change: 150 }];
    expect((await broadcastOrder(till, "A", 2)).snapshot.payments).toEqual(settled);
    expect((await closing()).totals).toMatchObject({
      paidAmount: 850,
      byMethod: [{ methodId: 1, amount: 850, payments: 1 }],
    });
    await hub.restart();
    expect((await closing()).totals.byMethod).toEqual([{ methodId: 1, amount: 850, payments: 1 }]);
  });

  it("a cash payment is forwarded with what was tendered and the change [FWD-40]", async () => {
    await write(till, "F", 0);
    await till.change(pay("F", 1, { methodId: CASH, amount: 850, tendered: 1000 }));
    expect((await booked("F")).order.snapshot["payments"]).toEqual([
      { methodId: CASH, amount: 850, tendered: 1000, change: 150 },
    ]);
  });

  it("a payment above the total is refused without enough cash to give change from [MONEY-17]", async () => {
    await write(till, "A", 0);
    const tooMuch = pay("A", 1, { methodId: CARD, amount: 800 }, { methodId: CARD, amount: 51 });
    expect(await refusal(till.change(tooMuch))).toMatchObject({
      errorCode: "VALIDATION_ERROR",
      error: expect.stringContaining("851"),
    });
    await till.change(pay("A", 1, { methodId: CARD, amount: 800 }, { methodId: CASH, amount: 51 }));
    expect((await broadcastOrder(till, "A", 2)).snapshot.payments).toMatchObject([{ amount: 800 }, { amount: 50 }]);
  });

  it("a check without charged lines cannot be paid and is never forwarded [MONEY-18]", async () => {
    await write(till, "A", 0, checkOf(0, { lines: [] }));
    await write(
      till,
      "B",
      0,
      checkOf(850, { lines: [{ id: "a", productId: 1, quantity: 1, total: 5, voided: true }] }),
    );
    for (const posReference of ["A", "B"]) {
      for (const invalid of [pay(posReference, 1), tender(posReference, CASH, 5)]) {
        expect(await refusal(till.change(invalid))).toMatchObject({ errorCode: "VALIDATION_ERROR" });
      }
    }
    expect((await hub.send("GET", "/health")).body).toMatchObject({ orders: 2, pendingForward: 0, totalForwarded: 0 });
    // A free meal is a sale.
    await write(till, "C", 0, checkOf(0));
    expect(await till.change(pay("C", 1))).toMatchObject({ status: "paid" });
  });
});
