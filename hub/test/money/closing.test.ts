import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const CASH = 1;
const CARD = 2;

async function sell(till: TestTerminal, posReference: string, total: number, more: Record<string, unknown> = {}) {
  const lines = [{ id: "a", productId: 101, quantity: 1, unitPrice: total, total }];
  await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot({ lines }) });
  const payments = [{ methodId: CASH, amount: total }];
  await till.change({ type: "ORDER_PAY", posReference, baseVersion: 1, payments, ...more });
}

const closing = async (hub: TestHub) => (await operatorOf(hub)("closing")).body;

describe("the closing report", () => {
  it("the closing report lists each paid order missing in accounting once, by what it waits for [OP-162]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const call = operatorOf(hub);
    await until("reachable", async () => (await call("backOffice")).body.state === "reachable");
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const refuse = { posReferences: ["ASIDE"], error: "no account", errorCode: "VALIDATION_ERROR" };
    await hub.backOffice.control("POST", "/faults", { faults: [{ refuse }] });
    await sell(till, "ASIDE", 50);
    const { eventId } = await until("refused", async () =>
      (await call("forwardEvents")).body.events.find((event: { error: string | null }) => event.error !== null),
    );
    const returnsAt = new Date(Date.now() + 3_600_000).toISOString();
    await call("setAsideForward", { params: { eventId }, body: { note: "tomorrow", until: returnsAt } });
    // A receipt with fiscal value needs the buyer's tax number.
    await sell(till, "NUMBERLESS", 30, { fiscal: { type: "B01" } });
    await until("refused its number", async () => (await call("fiscal")).body.failed.length === 1);
    await hub.backOffice.kill();
    await sell(till, "QUEUED", 20);
    await sell(till, "QUEUED-2", 2);
    await sell(till, "PENDING", 10, { fiscal: { type: "B02" } });

    const report = await closing(hub);
    const found = report.notInAccounting.map(
      ({ waitsFor, orders, amount, oldestAt, oldest }: (typeof report.notInAccounting)[number]) => ({
        waitsFor,
        orders,
        amount,
        isDated: oldestAt === oldest[0].paidAt,
        names: oldest.map(({ posReference }: { posReference: string }) => posReference),
      }),
    );
    expect(found).toEqual([
      { waitsFor: "set_aside", orders: 1, amount: 50, isDated: true, names: ["ASIDE"] },
      { waitsFor: "refused_number", orders: 1, amount: 30, isDated: true, names: ["NUMBERLESS"] },
      { waitsFor: "queue", orders: 2, amount: 22, isDated: true, names: ["QUEUED", "QUEUED-2"] },
      { waitsFor: "number", orders: 1, amount: 10, isDated: true, names: ["PENDING"] },
    ]);
    expect(report.notInAccounting[0].oldest[0]).toMatchObject({
      total: 50,
      note: "tomorrow",
      error: { words: "no account" },
    });
    expect(report).toMatchObject({ ready: false, totals: { notYetInAccounting: 112 } });
    expect((await call("overview")).body.detail).toMatchObject({ notYetInAccounting: 112 });
  });

  it("the closing report is ready once accounting has every order [OP-162]", async () => {
    const hub = await startTestHub();
    await until("the session is known", async () => (await closing(hub)).session !== null);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await sell(till, "A", 50);
    const report = await until("ready", async () => {
      const body = await closing(hub);
      return body.ready === true ? body : null;
    });
    expect(report).toMatchObject({ notInAccounting: [], totals: { paidAmount: 50, notYetInAccounting: 0 } });
  });

  it("the closing report totals tips by payment method on top of the paid amounts, also after a restart [OP-163]", async () => {
    const hub = await startTestHub();
    await until("the session is known", async () => (await closing(hub)).session !== null);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await sell(till, "A", 100, { payments: [{ methodId: CARD, amount: 100, tip: 10.1 }] });
    await sell(till, "B", 60, {
      payments: [
        { methodId: CARD, amount: 40, tip: 5.2 },
        { methodId: CASH, amount: 20 },
      ],
    });
    const totals = {
      paidAmount: 160,
      tips: 15.3,
      byMethod: [
        { methodId: 2, amount: 140, payments: 2, tips: 15.3 },
        { methodId: 1, amount: 20, payments: 1 },
      ],
    };
    expect((await closing(hub)).totals).toMatchObject(totals);
    expect((await closing(hub)).totals.byMethod).toEqual(totals.byMethod);
    await hub.restart();
    expect((await closing(hub)).totals).toMatchObject(totals);
  });

  it("the closing report names its session, the session's start and the restaurant's time zone [OP-164]", async () => {
    const hub = await startTestHub();
    const { session, timeZone } = await until("a session", async () => {
      const body = await closing(hub);
      return body.session === null ? null : body;
    });
    expect(session.name).toMatch(/\S/);
    expect(Date.parse(session.since)).toBeLessThanOrEqual(Date.now());
    expect(timeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });
});
