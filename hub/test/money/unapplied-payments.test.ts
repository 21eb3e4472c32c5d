import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { broadcastOrder } from "../support/broadcast-order.ts";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { operatorOf } from "../support/operator.ts";
import { refusal } from "../support/refusal.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const CASH = 1;
const CARD = 2;

/** Builds a check of one dish at this price. */
const checkOf = (total: number, overrides: Record<string, unknown> = {}) =>
  terminalSnapshot({ lines: [{ id: "a", productId: 101, quantity: 1, unitPrice: total, total }], ...overrides });

const write = (terminal: TestTerminal, posReference: string, baseVersion: number, snapshot = checkOf(850)) =>
  terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion, snapshot });

const pay = (posReference: string, baseVersion: number, amount: number, more: Record<string, unknown> = {}) => ({
  type: "ORDER_PAY",
  posReference,
  baseVersion,
  payments: [{ methodId: CASH, amount }],
  ...more,
});

/** Waits until the hub knows which methods are cash. */
const menuRead = (hub: TestHub) =>
  until("the menu is read", async () => (await hub.send("GET", "/health")).body.lastErpSync);

const openPayments = async (hub: TestHub): Promise<Record<string, unknown>[]> =>
  (await operatorOf(hub)("payments")).body.payments;

async function openSession(hub: TestHub, open: boolean): Promise<void> {
  await hub.backOffice.control("POST", "/session", { open });
  await until("the session is followed", async () => {
    const { body } = await hub.external().get("/session");
    return body.active === open;
  });
}

const quickPoll = { HUB_STATE_POLL_MS: "200" };

it.each([
  ["no payments", "replace(body, 'payments', 'paymentx')"],
  ["an amount that is none", "replace(body, '777', '\"x\"')"],
])("an unapplied payment damaged to %s is listed beside the others and settled by hand [DB-125]", async (_, body) => {
  const hub = await startTestHub();
  const till = await hub.terminal({ login: "cashier" });
  for (const [posReference, amount] of [
    ["BAD", 777],
    ["GOOD", 50],
  ] as const) {
    await write(till, posReference, 0);
    await refusal(till.change(pay(posReference, 9, amount)));
  }
  await hub.restart(() => {
    const db = new Database(hub.dbPath);
    db.exec(`UPDATE unapplied_payments SET body = ${body} WHERE pos_reference = 'BAD'`);
    db.close();
  });
  const [bad, good] = await openPayments(hub);
  expect([bad, good]).toMatchObject([
    { posReference: "BAD", payments: [] },
    { posReference: "GOOD", payments: [{ amount: 50 }] },
  ]);
  const call = operatorOf(hub);
  const params = { paymentId: String(bad?.["paymentId"]) };
  expect(await call("applyPayment", { params })).toMatchObject({ status: 400 });
  expect(await call("settlePayment", { params, body: { note: "by hand" } })).toMatchObject({ status: 200 });
});

describe("the identity of a payment ", () => {
  it("an unapplied payment is settled when a retry with a new mutation id is applied [MONEY-21]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const waiter = await hub.terminal({ deviceId: "waiter" });
    await write(till, "A", 0);
    await waiter.request({ type: "LEASE_ACQUIRE", posReference: "A" });
    const paymentId = crypto.randomUUID();
    for (let n = 0; n < 3; n += 1) {
      expect(await refusal(till.change(pay("A", 1, 850, { paymentId })))).toMatchObject({ errorCode: "LEASE_HELD" });
    }
    expect(await openPayments(hub)).toMatchObject([{ posReference: "A", amount: 850 }]);
    await waiter.request({ type: "LEASE_RELEASE", posReference: "A" });
    expect(await till.change(pay("A", 1, 850, { paymentId }))).toMatchObject({ version: 2, status: "paid" });
    expect(await openPayments(hub)).toEqual([]);
    await until("ready", async () => (await operatorOf(hub)("closing")).body.ready);
  });

  it("an unapplied payment is stored as its last attempt sent it [MONEY-21]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const paymentId = crypto.randomUUID();
    await refusal(till.change(pay("GONE", 1, 850, { paymentId, snapshot: checkOf(850) })));
    await refusal(till.change(pay("GONE", 1, 900, { paymentId })));
    expect(await openPayments(hub)).toMatchObject([{ amount: 900, hasContent: true }]);
    await hub.restart();
    expect(await openPayments(hub)).toMatchObject([{ amount: 900, hasContent: true }]);
    expect((await operatorOf(hub)("checkDataFile")).body.check).toMatchObject({ ok: true });
  });

  it("an applied payment is recognized whatever the mutation id [MONEY-20]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await write(till, "A", 0);
    const paymentId = crypto.randomUUID();
    await till.change(pay("A", 1, 850, { paymentId }));
    const again = await till.change(pay("A", 1, 850, { paymentId }));
    expect(again).toMatchObject({ posReference: "A", duplicate: true });
    await hub.restart();
    const back = await hub.terminal({ login: "cashier", deviceId: "till" });
    expect(await back.change(pay("A", 1, 850, { paymentId }))).toMatchObject({ posReference: "A", duplicate: true });
    const old = "2001-01-01T00:00:00.000Z";
    expect(await back.change(pay("A", 1, 850, { paymentId, queuedAt: old }))).toMatchObject({ duplicate: true });
    expect(await openPayments(hub)).toEqual([]);
  });

  it("another payment under a used identity is refused [MONEY-20]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await write(till, "A", 0);
    await write(till, "B", 0);
    const paymentId = crypto.randomUUID();
    await till.change(pay("A", 1, 850, { paymentId }));
    for (const other of [pay("B", 1, 850, { paymentId }), pay("A", 1, 900, { paymentId })]) {
      expect(await refusal(till.change(other))).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    }
    expect(await openPayments(hub)).toEqual([]);
  });

  it("an unapplied payment may be sent again as a tender with the same id [MONEY-22]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const waiter = await hub.terminal({ deviceId: "waiter" });
    await write(till, "A", 0);
    await write(waiter, "A", 1, checkOf(950));
    const paymentId = crypto.randomUUID();
    expect(await refusal(till.change(pay("A", 1, 850, { paymentId })))).toMatchObject({ errorCode: "CONFLICT" });
    const tender = { type: "ORDER_TENDER", posReference: "A", methodId: CASH };
    expect(await till.change({ ...tender, tenderId: paymentId, amount: 850 })).toMatchObject({ status: "open" });
    expect(await openPayments(hub)).toEqual([]);
    const remainder = { ...tender, tenderId: crypto.randomUUID(), amount: 100 };
    expect(await till.change(remainder)).toMatchObject({ status: "paid" });
  });

  it("a payment settled by hand is not applied any more [MONEY-23]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const waiter = await hub.terminal({ deviceId: "waiter" });
    await write(till, "A", 0);
    await waiter.request({ type: "LEASE_ACQUIRE", posReference: "A" });
    const tender = {
      type: "ORDER_TENDER",
      posReference: "A",
      methodId: CASH,
      amount: 850,
      tenderId: crypto.randomUUID(),
    };
    await refusal(till.change(tender));
    const [unapplied] = await openPayments(hub);
    const params = { paymentId: String(unapplied?.["paymentId"]) };
    await operatorOf(hub)("settlePayment", { params, body: { note: "given back" } });
    await waiter.request({ type: "LEASE_RELEASE", posReference: "A" });
    expect(await refusal(till.change(tender))).toMatchObject({ errorCode: "ORDER_LOCKED" });
    expect(await openPayments(hub)).toEqual([]);
  });
});

it("a payment from an older terminal is recognized by its mutation id [MONEY-23]", async () => {
  const hub = await startTestHub();
  const till = await hub.terminal({ login: "cashier", deviceId: "till" });
  const waiter = await hub.terminal({ deviceId: "waiter" });
  for (const posReference of ["A", "B"]) {
    await write(till, posReference, 0);
    await waiter.request({ type: "LEASE_ACQUIRE", posReference });
  }
  const payments = ["A", "B"].map((name) => pay(name, 1, 850, { mutationId: crypto.randomUUID() }));
  for (const payment of payments) await refusal(till.change(payment));
  const [first] = await openPayments(hub);
  const params = { paymentId: String(first?.["paymentId"]) };
  await operatorOf(hub)("settlePayment", { params, body: { note: "given back" } });
  for (const posReference of ["A", "B"]) await waiter.request({ type: "LEASE_RELEASE", posReference });
  const [a, b] = payments.map((payment) => ({ ...payment, paymentId: crypto.randomUUID() }));
  expect(await refusal(till.change({ ...a }))).toMatchObject({ errorCode: "ORDER_LOCKED" });
  expect(await till.change({ ...b })).toMatchObject({ posReference: "B", status: "paid" });
  expect(await openPayments(hub)).toEqual([]);
});

describe("refused money ", () => {
  it("money sent by a waiter is refused and kept [MONEY-30]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "till" });
    await write(waiter, "A", 0);
    expect(await refusal(waiter.change(pay("A", 1, 850)))).toMatchObject({ errorCode: "FORBIDDEN", kept: true });
    const tender = {
      type: "ORDER_TENDER",
      posReference: "A",
      methodId: CARD,
      amount: 50,
      tenderId: crypto.randomUUID(),
    };
    expect(await refusal(waiter.change(tender))).toMatchObject({ errorCode: "FORBIDDEN" });
    expect(await openPayments(hub)).toMatchObject([
      { amount: 850, errorCode: "FORBIDDEN", terminalId: "till" },
      { amount: 50, errorCode: "FORBIDDEN", payments: [{ methodId: CARD, amount: 50 }] },
    ]);
  });

  it("a refused tender is kept, and settled once it is accepted [MONEY-30]", async () => {
    const hub = await startTestHub({ env: quickPoll });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await write(till, "A", 0);
    await openSession(hub, false);
    const tender = { type: "ORDER_TENDER", methodId: CARD, amount: 50, tenderId: crypto.randomUUID() };
    expect(await refusal(till.change({ ...tender, posReference: "A" }))).toMatchObject({
      errorCode: "NO_ACTIVE_SESSION",
      retryable: true,
    });
    const lost = { ...tender, tenderId: crypto.randomUUID(), posReference: "GONE" };
    expect(await refusal(till.change(lost))).toMatchObject({ errorCode: "NOT_FOUND" });
    expect(await openPayments(hub)).toMatchObject([{ posReference: "A", amount: 50 }, { posReference: "GONE" }]);
    await openSession(hub, true);
    expect(await till.change({ ...tender, posReference: "A" })).toMatchObject({ status: "open" });
    expect(await openPayments(hub)).toMatchObject([{ posReference: "GONE" }]);
  });

  it("a malformed payment is not kept, but one that fitted an earlier total of the check is [MONEY-31]", async () => {
    const hub = await startTestHub();
    await menuRead(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await write(till, "A", 0);
    const card = (amount: number) => ({ payments: [{ methodId: CARD, amount }] });
    for (const invalid of [pay("A", 1, 849), pay("A", 1, 0, card(851))]) {
      const answer = await refusal(till.change(invalid));
      expect(answer.errorCode).toBe("VALIDATION_ERROR");
      expect(answer).not.toHaveProperty("kept");
    }
    expect(await openPayments(hub)).toEqual([]);
    // Written by the same device, so it is no version conflict.
    await write(till, "A", 1, checkOf(800));
    expect(await refusal(till.change(pay("A", 1, 0, card(850))))).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    const tender = (amount: number) => ({
      type: "ORDER_TENDER",
      posReference: "A",
      methodId: CARD,
      amount,
      tenderId: crypto.randomUUID(),
    });
    await till.change(tender(500));
    expect(await refusal(till.change(tender(801)))).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    expect(await refusal(till.change(tender(500)))).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    expect(await openPayments(hub)).toMatchObject([{ amount: 850 }, { amount: 500 }]);
  });

  it("a payment for an unknown order is kept with the order's content [MONEY-32]", async () => {
    const hub = await startTestHub({ env: quickPoll });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await openSession(hub, false);
    expect(await refusal(write(till, "A", 0))).toMatchObject({ errorCode: "NO_ACTIVE_SESSION" });
    const paymentId = crypto.randomUUID();
    const payment = pay("A", 0, 850, { paymentId, snapshot: checkOf(850) });
    expect(await refusal(till.change(payment))).toMatchObject({ errorCode: "NOT_FOUND" });
    expect(await openPayments(hub)).toMatchObject([
      { posReference: "A", amount: 850, hasContent: true, orderStatus: null, due: null },
    ]);
    const text = JSON.stringify(await openPayments(hub));
    expect(text).not.toContain("actor");
  });

  it("a kept payment is settled by a repeat once the order exists and the session is open [MONEY-33]", async () => {
    const hub = await startTestHub({ env: quickPoll });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await openSession(hub, false);
    const payment = pay("A", 0, 850, { paymentId: crypto.randomUUID(), snapshot: checkOf(850) });
    await refusal(till.change(payment));
    await openSession(hub, true);
    await write(till, "A", 0);
    expect(await till.change(payment)).toMatchObject({ status: "paid", version: 2 });
    expect(await openPayments(hub)).toEqual([]);
  });
});

describe("applying a kept payment ", () => {
  /** Creates a payment that was refused because the check's total had changed. */
  async function refusedPayment(hub: TestHub, payments: Record<string, unknown>[], total: number, more = {}) {
    await menuRead(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const waiter = await hub.terminal({ deviceId: "waiter" });
    await write(till, "A", 0, checkOf(850, { orderType: "dine_in", tableId: 5 }));
    await write(waiter, "A", 1, checkOf(total, { orderType: "dine_in", tableId: 5 }));
    const payment = pay("A", 1, 0, { payments, paymentId: crypto.randomUUID(), ...more });
    expect(await refusal(till.change(payment))).toMatchObject({ errorCode: "CONFLICT" });
    const [unapplied] = await openPayments(hub);
    return { till, payment, params: { paymentId: String(unapplied?.["paymentId"]) } };
  }

  it("applying a kept payment pays the check, settles the payment and is audited [OP-110]", async () => {
    // Keeps the order from being forwarded, and so closed, during the test.
    const hub = await startTestHub({ env: { HUB_FORWARD_INTERVAL_MS: "60000" } });
    const call = operatorOf(hub);
    const { till, payment, params } = await refusedPayment(hub, [{ methodId: CARD, amount: 850 }], 850);
    expect((await call("payments")).body.payments).toMatchObject([{ due: 850, hasContent: false }]);
    const { status, body } = await call("applyPayment", { params, body: { note: "card slip seen" } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ applied: 850, posReference: "A", version: 3, status: "paid", due: 0, giveBack: 0 });
    expect(body.payment.settled).toMatchObject({ note: { words: "card slip seen" } });
    expect(await broadcastOrder(till, "A", 3)).toMatchObject({
      terminalId: "hub",
      snapshot: {
        status: "paid",
        paidBy: till.hello.user.name,
        payments: [{ methodId: CARD, amount: 850 }],
        tenders: [{ amount: 850, terminalId: "till", takenBy: till.hello.user.name }],
      },
    });
    const { entries } = (await call("audit")).body;
    expect(entries[0]).toMatchObject({ action: "payment.apply", target: "A" });
    expect(await openPayments(hub)).toEqual([]);
    expect(await till.change({ ...payment })).toMatchObject({ posReference: "A", duplicate: true });
    // All fields are optional, so the body may be omitted.
    expect((await call("applyPayment", { params })).body).toMatchObject({ errorCode: "CONFLICT" });
  });

  it("a kept payment is addressed by the id with which it was sent [OP-118]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const [paymentId, tenderId, mutationId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    for (const posReference of ["A", "C"]) await write(till, posReference, 0);
    await refusal(till.change(pay("A", 9, 850, { paymentId })));
    await refusal(till.change({ type: "ORDER_TENDER", tenderId, posReference: "B", methodId: CASH, amount: 5 }));
    await refusal(till.change(pay("C", 9, 850, { mutationId })));
    expect(await openPayments(hub)).toMatchObject([{ paymentId }, { paymentId: tenderId }, { paymentId: mutationId }]);
    for (const named of [paymentId, mutationId]) {
      expect((await call("applyPayment", { params: { paymentId: named }, body: {} })).status).toBe(200);
    }
    const params = { paymentId: tenderId };
    expect((await call("settlePayment", { params, body: { note: "given back" } })).body.payment).toMatchObject(params);
    expect(await openPayments(hub)).toEqual([]);
  });

  it("applying a payment to a larger check leaves the difference due [OP-112]", async () => {
    const hub = await startTestHub();
    const payments = [
      { methodId: CARD, amount: 800 },
      { methodId: CASH, amount: 50 },
    ];
    const fiscal = { type: "B01", rnc: "131246789" };
    const { till, payment, params } = await refusedPayment(hub, payments, 950, { fiscal });
    const { body } = await operatorOf(hub)("applyPayment", { params, body: {} });
    expect(body).toMatchObject({ applied: 850, status: "open", due: 100, giveBack: 0 });
    expect((await operatorOf(hub)("closing")).body).toMatchObject({
      ready: false,
      openChecks: [{ posReference: "A", total: 950, paid: 850 }],
      unappliedPayments: [],
    });
    expect(await till.change(payment)).toMatchObject({ duplicate: true, status: "open" });
    // The terminal that collects the rest needs the fiscal data.
    expect((await broadcastOrder(till, "A", 3)).snapshot.tenders).toMatchObject([{ fiscal }, { fiscal }]);
    const remainder = { type: "ORDER_TENDER", posReference: "A", methodId: CARD, amount: 100 };
    expect(await till.change({ ...remainder, tenderId: crypto.randomUUID() })).toMatchObject({ status: "paid" });
  });

  it.each([
    { methodId: CARD, giveBack: 50, stored: { methodId: CARD, amount: 800 } },
    { methodId: CASH, giveBack: 50, stored: { methodId: CASH, amount: 800, tendered: 850, change: 50 } },
  ])("applying a payment to a smaller check tells what to give back: method $methodId [OP-113]", async (each) => {
    const hub = await startTestHub();
    const { till, params } = await refusedPayment(hub, [{ methodId: each.methodId, amount: 850 }], 800);
    const { body } = await operatorOf(hub)("applyPayment", { params, body: {} });
    expect(body).toMatchObject({ applied: 800, status: "paid", due: 0, giveBack: each.giveBack });
    expect((await broadcastOrder(till, "A", 3)).snapshot.payments).toMatchObject([each.stored]);
  });

  it("applying a payment gives back unneeded parts with their tips [OP-113]", async () => {
    const hub = await startTestHub();
    const payments = [
      { methodId: CARD, amount: 800, tip: 80 },
      { methodId: CASH, amount: 50, tip: 5 },
    ];
    const { till, params } = await refusedPayment(hub, payments, 800);
    const { body } = await operatorOf(hub)("applyPayment", { params, body: {} });
    expect(body).toMatchObject({ applied: 800, status: "paid", giveBack: 55 });
    expect((await broadcastOrder(till, "A", 3)).snapshot.payments).toMatchObject([payments[0]!]);
  });

  it("applying a payment does not give back change that was already given [OP-113]", async () => {
    const hub = await startTestHub();
    const { params } = await refusedPayment(hub, [{ methodId: CASH, amount: 1000 }], 800);
    const { body } = await operatorOf(hub)("applyPayment", { params, body: {} });
    expect(body).toMatchObject({ applied: 800, status: "paid", giveBack: 50 });
  });

  it("applying a payment creates an unknown order from its content, in the open session [OP-111]", async () => {
    const hub = await startTestHub({ env: quickPoll });
    const call = operatorOf(hub);
    await menuRead(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await openSession(hub, false);
    const snapshot = checkOf(850, { orderType: "dine_in", tableId: 5, remark: "by the window" });
    const paymentId = crypto.randomUUID();
    await refusal(write(till, "A", 0, snapshot));
    await refusal(till.change(pay("A", 0, 1000, { paymentId, snapshot })));
    const [unapplied] = await openPayments(hub);
    const params = { paymentId: String(unapplied?.["paymentId"]) };
    expect(await call("applyPayment", { params, body: {} })).toMatchObject({
      status: 409,
      body: { errorCode: "NO_ACTIVE_SESSION" },
    });
    expect(await openPayments(hub)).toHaveLength(1);
    expect((await call("orders", { query: { status: "all" } })).body.orders).toEqual([]);

    await openSession(hub, true);
    await write(till, "B", 0, checkOf(20, { orderType: "dine_in", tableId: 5 }));
    expect((await call("applyPayment", { params, body: {} })).body).toMatchObject({
      applied: 850,
      posReference: "A",
      version: 2,
      status: "paid",
      due: 0,
      giveBack: 0,
    });
    const order = await broadcastOrder(till, "A", 2);
    expect(order).toMatchObject({
      terminalId: "hub",
      tableId: 5,
      snapshot: {
        remark: "by the window",
        staffName: till.hello.user.name,
        payments: [{ methodId: CASH, amount: 850, tendered: 1000, change: 150 }],
      },
    });
    await until("it is booked", async () => {
      const { orders } = await hub.backOffice.control("GET", "/orders");
      return orders.find((each: { posReference: string }) => each.posReference === "A");
    });
    expect(await openPayments(hub)).toEqual([]);
  });

  it("applying a payment refused for its fiscal number requests another number [OP-115]", async () => {
    const hub = await startTestHub({ env: { ERP_USER: "" } });
    const call = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    for (const posReference of ["A", "B", "C"]) await write(till, posReference, 0);
    const ncf = "E320000000001";
    await till.change(pay("A", 1, 850, { ncf }));
    expect(await refusal(till.change(pay("B", 1, 850, { ncf })))).toMatchObject({ errorCode: "NCF_IN_USE" });
    expect(await refusal(till.change(pay("C", 1, 850, { ncf: "none" })))).toMatchObject({ errorCode: "NCF_INVALID" });
    const answers = [];
    for (const { paymentId } of await openPayments(hub)) {
      answers.push((await call("applyPayment", { params: { paymentId: String(paymentId) }, body: {} })).body);
    }
    expect(answers).toMatchObject([
      { posReference: "B", status: "paid" },
      { posReference: "C", status: "paid" },
    ]);
    const b = (await broadcastOrder(till, "B", 2)).snapshot;
    expect(b).toMatchObject({ fiscal: { status: "pending", type: "E32" } });
    expect(b).not.toHaveProperty("ncf");
    expect((await broadcastOrder(till, "C", 2)).snapshot).toMatchObject({ fiscal: { status: "failed" } });
  });

  it("a payment for a discarded check is listed with the check's table [OP-582]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await write(till, "GONE", 0, checkOf(850, { orderType: "dine_in", tableId: 3 }));
    await till.change({ type: "ORDER_DISCARD", posReference: "GONE", baseVersion: 1 });
    for (const posReference of ["GONE", "NEVER"]) {
      await refusal(till.change(pay(posReference, 1, 850, { snapshot: checkOf(850) })));
    }
    expect(await openPayments(hub)).toMatchObject([
      { posReference: "GONE", removed: true, orderStatus: null, due: null, place: { tableId: 3 } },
      { posReference: "NEVER", removed: false, place: null },
    ]);
  });

  it("a payment that cannot be applied changes nothing [OP-114]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const waiter = await hub.terminal({ deviceId: "waiter" });
    for (const posReference of ["PAID", "GONE", "LEASED", "EMPTY"]) await write(till, posReference, 0);
    await till.change(pay("PAID", 1, 850));
    await till.change({ type: "ORDER_DISCARD", posReference: "GONE", baseVersion: 1 });
    await waiter.request({ type: "LEASE_ACQUIRE", posReference: "LEASED" });
    await waiter.request({ type: "LEASE_ACQUIRE", posReference: "EMPTY" });
    const more = { snapshot: checkOf(850) };
    for (const posReference of ["PAID", "GONE", "LEASED", "EMPTY"]) {
      await refusal(till.change(pay(posReference, 1, 850, more)));
    }
    await refusal(till.change(pay("NEVER", 1, 850)));
    await waiter.change({
      type: "ORDER_UPSERT",
      posReference: "EMPTY",
      baseVersion: 1,
      snapshot: checkOf(0, { lines: [] }),
    });
    await waiter.request({ type: "LEASE_RELEASE", posReference: "EMPTY" });
    const unapplied = await openPayments(hub);
    const orders = async (): Promise<{ posReference: string; status: string }[]> =>
      (await call("orders", { query: { status: "all" } })).body.orders;
    await until("the paid order to be booked", async () => {
      return (await orders()).some(({ posReference, status }) => posReference === "PAID" && status === "closed");
    });
    const before = await orders();
    const codes = await Promise.all(
      unapplied.map(async ({ paymentId, posReference }) => {
        const { status, body } = await call("applyPayment", { params: { paymentId: String(paymentId) }, body: {} });
        return [posReference, status, body.errorCode];
      }),
    );
    expect(codes).toEqual([
      ["PAID", 409, "ORDER_LOCKED"],
      ["GONE", 409, "ORDER_LOCKED"],
      ["LEASED", 409, "LEASE_HELD"],
      ["EMPTY", 400, "VALIDATION_ERROR"],
      ["NEVER", 404, "NOT_FOUND"],
    ]);
    expect((await call("applyPayment", { params: { paymentId: "999" }, body: {} })).status).toBe(404);
    expect(await openPayments(hub)).toHaveLength(5);
    expect(await orders()).toEqual(before);
  });
});

describe("unsent money of terminals ", () => {
  it("unsent payments of a terminal are shown and keep the session from being closed [OP-116]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    expect((await call("closing")).body.ready).toBe(true);
    const oldestAt = "2026-11-22T20:00:00.000Z";
    await till.request({ type: "HEARTBEAT", outbox: { pending: 3, oldestAt, payments: 2, amount: 1250.5 } });
    const unsent = { terminalId: "till", pending: 3, oldestAt, payments: 2, amount: 1250.5 };
    expect((await call("closing")).body).toMatchObject({ ready: false, unsentTerminals: [unsent] });
    expect((await call("overview")).body.terminals.unsent).toMatchObject({ pending: 3, payments: 2, terminals: 1 });
    till.close();
    await hub.restart();
    const { terminalId, ...outbox } = unsent;
    expect((await call("terminals")).body.terminals).toMatchObject([{ terminalId, state: expect.any(String), outbox }]);
    expect((await call("closing")).body).toMatchObject({ ready: false, unsentTerminals: [unsent] });

    // A heartbeat without `outbox` does not clear the reported outbox.
    const back = await hub.terminal({ login: "cashier", deviceId: "till" });
    await back.request({ type: "HEARTBEAT" });
    expect((await call("closing")).body).toMatchObject({ ready: false, unsentTerminals: [unsent] });
    await back.request({ type: "HEARTBEAT", outbox: { pending: 0, oldestAt: null, payments: 1, amount: 5 } });
    expect((await call("closing")).body.ready).toBe(false);
    await back.request({ type: "HEARTBEAT", outbox: { pending: 0, oldestAt: null, payments: 0, amount: 0 } });
    expect((await call("closing")).body).toMatchObject({ ready: true, unsentTerminals: [] });
  });
});

describe("unknown payment methods ", () => {
  it("a payment by an unknown method is refused by field, kept, and applied by a manager [MONEY-110]", async () => {
    const hub = await startTestHub();
    await menuRead(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await write(till, "A", 0, checkOf(100));
    await write(till, "B", 0, checkOf(100));
    const payments = [CASH, "made-up"].map((methodId) => ({ methodId, amount: 50 }));
    expect(await refusal(till.change(pay("A", 1, 100, { payments })))).toMatchObject({
      errorCode: "VALIDATION_ERROR",
      error: expect.stringMatching(/^payments\.1\.methodId: /),
    });
    const tender = { type: "ORDER_TENDER", tenderId: crypto.randomUUID(), posReference: "B", methodId: 99, amount: 10 };
    expect(await refusal(till.change(tender))).toMatchObject({
      errorCode: "VALIDATION_ERROR",
      error: expect.stringMatching(/^methodId: /),
    });
    const unapplied = await openPayments(hub);
    expect(unapplied).toMatchObject([
      { posReference: "A", amount: 100 },
      { posReference: "B", amount: 10 },
    ]);
    const params = { paymentId: String(unapplied[0]?.["paymentId"]) };
    expect((await operatorOf(hub)("applyPayment", { params, body: {} })).body).toMatchObject({
      status: "paid",
      applied: 100,
    });
  });
});
