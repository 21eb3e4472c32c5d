import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { operatorOf } from "../support/operator.ts";
import { refusal } from "../support/refusal.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { broadcastOrder as received } from "../support/broadcast-order.ts";

const cash = (amount: number) => [{ methodId: 1, amount }];
const pay = (posReference: string, baseVersion: number, more: Record<string, unknown> = {}) => ({
  type: "ORDER_PAY",
  posReference,
  baseVersion,
  payments: cash(100),
  ...more,
});
const open = (terminal: TestTerminal, posReference: string, overrides: Record<string, unknown> = {}) =>
  terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot(overrides) });

/** Returns the number of payments waiting for a manager, as HUB_STATUS reports it at sign-in. */
async function attention(hub: TestHub): Promise<number> {
  const terminal = await hub.terminal({ deviceId: "asks" });
  const status = await terminal.next("HUB_STATUS");
  terminal.close();
  return status.attention;
}

describe("checkout", () => {
  it("a check goes to checkout and back to the status that follows from its lines [ORDER-50]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal();
    await open(waiter, "A");
    const change = (type: string, baseVersion: number) => waiter.change({ type, posReference: "A", baseVersion });
    await change("ORDER_CHECKOUT", 1);
    expect((await received(waiter, "A", 2)).snapshot.status).toBe("checkout");
    await change("ORDER_REOPEN", 2);
    expect((await received(waiter, "A", 3)).snapshot.status).toBe("open");
    await waiter.change({ type: "ORDER_SEND", posReference: "A" });
    await change("ORDER_CHECKOUT", 4);
    await change("ORDER_REOPEN", 5);
    expect((await received(waiter, "A", 6)).snapshot.status).toBe("sent");
    await waiter.change({
      type: "ORDER_UPSERT",
      posReference: "A",
      baseVersion: 6,
      snapshot: terminalSnapshot({ lines: [{ id: "a", quantity: 3 }] }),
    });
    await change("ORDER_CHECKOUT", 7);
    await change("ORDER_REOPEN", 8);
    expect((await received(waiter, "A", 9)).snapshot.status).toBe("changed");
    expect(await refusal(change("ORDER_REOPEN", 9))).toMatchObject({ errorCode: "VALIDATION_ERROR" });
  });
});

describe("paying ", () => {
  it("a payment stores the payments, frees the table and queues the order for forwarding [ORDER-51]", async () => {
    const hub = await startTestHub({ env: { ERP_USER: "" } });
    const till = await hub.terminal({ login: "cashier" });
    await open(till, "A", { orderType: "dine_in", tableId: 5 });
    await till.change({ type: "ORDER_CHECKOUT", posReference: "A", baseVersion: 1 });
    const more = {
      ncf: "B0200000001",
      fiscal: { rnc: "1" },
      payments: [
        { methodId: 1, amount: 60, note: "x" },
        { methodId: 2, amount: 40 },
      ],
    };
    expect(await till.change(pay("A", 2, more))).toMatchObject({ version: 3 });
    expect(await received(till, "A", 3)).toMatchObject({
      forward: { state: "pending" },
      snapshot: { status: "paid", ...more, paidBy: till.hello.user.name, paidAt: expect.any(String) },
    });
    expect(await till.next("TABLE_CHANGED", (message) => message.table.status === "available")).toMatchObject({
      table: { tableId: 5 },
    });
    expect((await hub.send("GET", "/health")).body).toMatchObject({ orders: 0, pendingForward: 1, totalForwarded: 0 });
  });

  it("only a cashier or manager may take a payment [ORDER-52]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal();
    await open(waiter, "A");
    await waiter.change({ type: "ORDER_SEND", posReference: "A" });
    expect(await refusal(waiter.change(pay("A", 2)))).toMatchObject({ errorCode: "FORBIDDEN" });
    expect(await refusal(waiter.change({ type: "ORDER_DISCARD", posReference: "A", baseVersion: 2 }))).toMatchObject({
      errorCode: "FORBIDDEN",
    });
    // The manager must settle the waiter's refused payment, but may still take a new one.
    expect(await attention(hub)).toBe(1);
    const manager = await hub.terminal({ login: "manager", deviceId: "m" });
    expect(await manager.change(pay("A", 2))).toMatchObject({ version: 3 });
  });

  it("payments must cover the total to the cent [ORDER-53, ORDER-56, MONEY-152]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    await open(till, "A", { lines: [{ id: "a", quantity: 1, unitPrice: 0.3 }] });
    expect(await refusal(till.change(pay("A", 1, { payments: cash(0.29) })))).toMatchObject({
      errorCode: "VALIDATION_ERROR",
    });
    expect(await refusal(till.change(pay("A", 1, { payments: [{ amount: 1 }] })))).toMatchObject({
      errorCode: "VALIDATION_ERROR",
    });
    // Negative amounts need the permission to refund.
    expect(
      await refusal(till.change(pay("A", 1, { payments: [{ methodId: 2, amount: -1 }, ...cash(1.3)] }))),
    ).toMatchObject({ errorCode: "VALIDATION_ERROR", error: expect.stringMatching(/^payments: .*below 0/u) });
    expect(await attention(hub)).toBe(0);
    await till.change(pay("A", 1, { payments: [...cash(0.1), ...cash(0.2)] }));
    expect((await received(till, "A", 2)).snapshot.status).toBe("paid");
  });

  it("the money of a payment that is refused as too late is kept [ORDER-54]", async () => {
    const hub = await startTestHub({ env: { HUB_STATE_POLL_MS: "200" } });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const waiter = await hub.terminal({ deviceId: "waiter" });
    await open(till, "A");
    await waiter.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 1, snapshot: terminalSnapshot() });
    expect(await refusal(till.change(pay("A", 1)))).toMatchObject({ errorCode: "CONFLICT", hubVersion: 2 });
    expect(await attention(hub)).toBe(1);
    await waiter.request({ type: "LEASE_ACQUIRE", posReference: "A" });
    expect(await refusal(till.change(pay("A", 2)))).toMatchObject({ errorCode: "LEASE_HELD", retryable: true });
    await waiter.request({ type: "LEASE_RELEASE", posReference: "A" });
    await till.change(pay("A", 2));
    expect(await refusal(till.change(pay("A", 2)))).toMatchObject({ errorCode: "ORDER_LOCKED" });
    expect(await refusal(till.change(pay("NEVER", 1)))).toMatchObject({ errorCode: "NOT_FOUND" });
    await open(till, "B");
    await hub.backOffice.control("POST", "/session", { open: false });
    await till.next("SESSION_CHANGED", (message) => !message.session.active);
    expect(await refusal(till.change(pay("B", 1)))).toMatchObject({ errorCode: "NO_ACTIVE_SESSION", retryable: true });
    await hub.backOffice.control("POST", "/session", { open: true });
    expect(await attention(hub)).toBe(5);
    expect((await hub.send("GET", "/health")).body).toMatchObject({ status: "degraded", reasons: ["attention"] });
    await hub.restart();
    expect(await attention(hub)).toBe(5);
    const { body } = await operatorOf(hub)("payments");
    expect(body.payments.map((payment: { errorCode: string }) => payment.errorCode).sort()).toEqual([
      "CONFLICT",
      "LEASE_HELD",
      "NOT_FOUND",
      "NO_ACTIVE_SESSION",
      "ORDER_LOCKED",
    ]);
  });

  it("a kept payment is settled by a later attempt that is applied [ORDER-55]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const waiter = await hub.terminal({ deviceId: "waiter" });
    await open(till, "A");
    await waiter.request({ type: "LEASE_ACQUIRE", posReference: "A" });
    const payment = pay("A", 1, { mutationId: crypto.randomUUID() });
    await refusal(till.change(payment));
    await refusal(till.change(payment));
    expect(await attention(hub)).toBe(1);
    await waiter.request({ type: "LEASE_RELEASE", posReference: "A" });
    expect(await till.change(payment)).toMatchObject({ version: 2 });
    expect(await attention(hub)).toBe(0);
    expect(await till.change(payment)).toMatchObject({ version: 2, duplicate: true });
  });

  it("a payment settled by a manager is not applied any more [ORDER-55]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const waiter = await hub.terminal({ deviceId: "waiter" });
    await open(till, "A");
    await waiter.request({ type: "LEASE_ACQUIRE", posReference: "A" });
    const payment = pay("A", 1, { mutationId: crypto.randomUUID() });
    await refusal(till.change(payment));
    const operator = operatorOf(hub);
    const { paymentId } = (await operator("payments")).body.payments[0];
    expect((await operator("settlePayment", { params: { paymentId }, body: { note: "given back" } })).status).toBe(200);
    await waiter.request({ type: "LEASE_RELEASE", posReference: "A" });
    expect(await refusal(till.change(payment))).toMatchObject({ errorCode: "ORDER_LOCKED", retryable: false });
    expect(await attention(hub)).toBe(0);
    const { sync } = await hub.terminal({ login: "manager", deviceId: "looks" });
    expect(sync.orders).toMatchObject([{ version: 1, snapshot: { status: "open" } }]);
  });
});

describe("discarding", () => {
  it("a discard notifies every terminal [ORDER-57]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const other = await hub.terminal({ deviceId: "other" });
    await open(till, "A");
    expect(
      await till.change({ type: "ORDER_DISCARD", posReference: "A", baseVersion: 1, reason: "gone" }),
    ).toMatchObject({ version: 2, seq: 2 });
    const about = { seq: 2, posReference: "A", version: 2, origin: "till" };
    const removed = { type: "ORDER_REMOVED", ...about, signature: expect.any(String) };
    expect(await other.next("ORDER_REMOVED")).toEqual(removed);
    expect(await till.next("ORDER_REMOVED")).toEqual(removed);
  });

  it("one of a simultaneous payment and discard wins, and the order is never both [ORDER-58]", async () => {
    const hub = await startTestHub({ env: { ERP_USER: "" } });
    const cashier = await hub.terminal({ login: "cashier", deviceId: "one" });
    const manager = await hub.terminal({ login: "manager", deviceId: "two" });
    for (let i = 0; i < 20; i += 1) {
      const posReference = `R${i}`;
      await open(cashier, posReference);
      const changes = [
        cashier.change(pay(posReference, 1)),
        manager.change({ type: "ORDER_DISCARD", posReference, baseVersion: 1 }),
      ];
      const outcomes = await Promise.allSettled(changes);
      expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
    }
    const { sync } = await hub.terminal({ deviceId: "looks" });
    const { pendingForward } = (await hub.send("GET", "/health")).body;
    expect(sync.orders.filter((order) => order.snapshot.status === "paid")).toHaveLength(pendingForward);
    expect(sync.orders).toHaveLength(pendingForward);
  });
});
