import { BATCH_CAPABILITY, type HubMessage } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { startFaultyLine } from "../support/faulty-line.ts";
import { manualClock } from "../support/manual-clock.ts";
import { openStream, operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const lines = [{ id: "a", productId: 101, quantity: 1, unitPrice: 118, total: 118, taxAmount: 18 }];

async function sell(terminal: TestTerminal, posReference: string): Promise<void> {
  const order = { posReference, baseVersion: 0, snapshot: { orderType: "takeout", lines } };
  await terminal.change({ type: "ORDER_UPSERT", ...order });
  await terminal.change({
    type: "ORDER_PAY",
    posReference,
    baseVersion: 1,
    payments: [{ methodId: 1, amount: 118 }],
  });
}

/** Faults that make the stand-in refuse to finalize these orders. */
function refusing(...posReferences: string[]) {
  return { faults: [{ refuse: { posReferences, error: "no fiscal number", errorCode: "NCF_EXHAUSTED" } }] };
}

describe("back-office", () => {
  it("a manager sees the state of the back-office and the events forwarded to it [OP-45]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    await sell(terminal, "SOLD");
    const done = await until("forwarded", async () => {
      const { events } = (await call("forwardEvents", { query: { state: "done" } })).body;
      return events[0];
    });
    expect(done).toMatchObject({ posReference: "SOLD", total: 118, attempts: 1, error: null });
    expect((await call("forwardEvent", { params: { eventId: done.eventId } })).body.attempts).toMatchObject([
      { attempt: 1, outcome: "finalized" },
    ]);
    expect((await call("backOffice")).body).toMatchObject({
      state: "reachable",
      database: "demo",
      login: "hub",
      session: { active: true },
      queue: { pending: 0, attention: 0, total: 1 },
    });
    expect((await call("forwardEvent", { params: { eventId: "999" } })).status).toBe(404);
  });

  it("a refused account, a missing one and an unreachable back-office are different states [OP-45]", async () => {
    const refused = await startTestHub({ env: { ERP_PASSWORD: "wrong" } });
    await until("refused", async () => (await operatorOf(refused)("backOffice")).body.state === "refused");
    const bare = await startTestHub({ env: { ERP_USER: "" } });
    expect((await operatorOf(bare)("backOffice")).body).toMatchObject({ state: "not_configured", login: null });
    const cut = await startTestHub({ ownBackOffice: true });
    await until("reachable", async () => (await operatorOf(cut)("backOffice")).body.state === "reachable");
    await cut.backOffice.kill();
    expect((await operatorOf(cut)("tryBackOffice")).body.state).toBe("unreachable");
    const overview = await operatorOf(cut)("overview", { token: null });
    expect(overview.body).toMatchObject({ status: "degraded", backOffice: { state: "unreachable" } });
  });

  it("the back-office's state has the time when it began, however late it is requested [OP-577]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    await until("the menu is read", async () => (await hub.send("GET", "/health")).body.lastErpSync);
    const readAt = clock.world.clock.now();
    clock.advance(3_600_000);
    const { state, since } = (await operatorOf(hub)("backOffice")).body;
    expect(state).toBe("reachable");
    expect(Date.parse(since)).toBeLessThanOrEqual(readAt);
  });

  it("a manual attempt signs in again, even while a read with the previous session is in progress [OP-45]", async () => {
    const hub = await startTestHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "86400000" } });
    const call = operatorOf(hub);
    const becomes = (state: string) => until(state, async () => (await call("backOffice")).body.state === state);
    await becomes("reachable");
    await hub.backOffice.control("POST", "/faults", {
      faults: [
        { path: "/web/session/authenticate", latencyMs: 500 },
        { path: "/pos-api/v1/bootstrap", latencyMs: 4_000, times: 1 },
      ],
    });
    const first = call("tryBackOffice");
    await becomes("signed_out");
    await becomes("reachable");
    // The first call's read is in progress on a session that the second call discards.
    const second = call("tryBackOffice");
    expect((await second).body.state).toBe("reachable");
    expect((await first).body.state).toBe("reachable");
  });

  it("screens are notified when the back-office session ends and when the next one starts [OP-45]", async () => {
    const hub = await startTestHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
    const call = operatorOf(hub);
    await until("reachable", async () => (await call("backOffice")).body.state === "reachable");
    const stream = await openStream(hub, { token: null });
    await hub.backOffice.control("POST", "/faults", {
      faults: [{ path: "/web/session/authenticate", latencyMs: 1_500 }],
    });
    await hub.backOffice.control("DELETE", "/user-sessions");
    for (const state of ["signed_out", "reachable"]) {
      const isReached = async () => (await call("overview", { token: null })).body.backOffice.state === state;
      while (!(await isReached())) await stream.changed("overview");
    }
  });

  it("a manager retries a refused event or sets it aside with a note [OP-21]", async () => {
    const hub = await startTestHub({ env: { HUB_FORWARD_INTERVAL_MS: "60000" } });
    const call = operatorOf(hub);
    await hub.backOffice.control("POST", "/faults", refusing("REFUSED"));
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    await sell(terminal, "REFUSED");
    await call("tryBackOffice");
    const refused = await until("refused", async () => {
      const [event] = (await call("forwardEvents", { query: { state: "pending" } })).body.events;
      return event?.error === null ? null : event;
    });
    expect(refused).toMatchObject({ error: { words: "no fiscal number" }, errorCode: "NCF_EXHAUSTED" });

    const params = { eventId: refused.eventId };
    const aside = await call("setAsideForward", { params, body: { note: "asked the accountant" } });
    expect(aside.body.event).toMatchObject({ state: "attention", note: "asked the accountant", nextAttemptAt: null });
    expect((await call("order", { params: { posReference: "REFUSED" } })).body.order.forward).toMatchObject({
      state: "attention",
    });
    expect((await call("orders", { query: { status: "attention" } })).body.total).toBe(1);
    expect((await call("overview")).body.forward).toMatchObject({ pending: 0, attention: 1 });
    expect((await call("closing")).body).toMatchObject({ ready: false, attention: [{ posReference: "REFUSED" }] });

    await hub.backOffice.control("DELETE", "/faults");
    expect((await call("retryForward", { params })).body.event).toMatchObject({ note: null });
    await until("done", async () => (await call("forwardEvent", { params })).body.event.state === "done");
    expect((await call("retryForward", { params })).status).toBe(400);
    const timeline = (await call("orderTimeline", { params: { posReference: "REFUSED" } })).body.entries;
    const outcomes = timeline.filter((entry: { kind: string }) => entry.kind === "forward").map(outcomeOf);
    expect(outcomes).toContain("set_aside");
    expect(outcomes.at(-1)).toBe("finalized");
    expect((await call("audit")).body.entries).toMatchObject([
      { action: "forward.retry", target: "REFUSED" },
      { action: "forward.set_aside", target: "REFUSED", note: { words: "asked the accountant" } },
      { action: "back_office.try" },
    ]);
  });

  it("a manager retries all events that need attention at once [OP-21]", async () => {
    const hub = await startTestHub({ env: { HUB_FORWARD_INTERVAL_MS: "60000" } });
    const call = operatorOf(hub);
    await hub.backOffice.control("POST", "/faults", refusing("RETRY-1", "RETRY-2"));
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    for (const posReference of ["RETRY-1", "RETRY-2"]) await sell(terminal, posReference);
    await call("tryBackOffice");
    const events = await until("refused", async () => {
      const waiting = (await call("forwardEvents", { query: { state: "pending" } })).body.events;
      return (
        waiting.length === 2 && waiting.every((event: { error: object | null }) => event.error !== null) && waiting
      );
    });
    for (const { eventId } of events) {
      await call("setAsideForward", { params: { eventId }, body: { note: "later" } });
    }
    await hub.backOffice.control("DELETE", "/faults");
    expect((await call("retryAllForward", { body: {} })).body).toEqual({ retried: 2 });
    await until("all done", async () => (await call("backOffice")).body.queue.total === 2);
  });

  it("a manager's note that reads like one of the hub's sentences stays the manager's words [OP-541]", async () => {
    const hub = await startTestHub({ env: { HUB_FORWARD_INTERVAL_MS: "60000" } });
    const call = operatorOf(hub);
    await hub.backOffice.control("POST", "/faults", refusing("ALIKE"));
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    await sell(terminal, "ALIKE");
    await call("tryBackOffice");
    const { eventId } = await until("queued", async () => (await call("forwardEvents")).body.events[0]);
    await call("setAsideForward", { params: { eventId }, body: { note: "damaged" } });
    const { entries } = (await call("audit", { query: { search: "DAMAGED" } })).body;
    expect(entries).toMatchObject([{ action: "forward.set_aside", note: { words: "damaged" } }]);
    expect(entries[0].note).not.toHaveProperty("reason");
    expect((await call("audit", { query: { search: "words" } })).body.entries).toEqual([]);
    const { order, attention } = (await call("order", { params: { posReference: "ALIKE" } })).body;
    expect(attention).toEqual({ error: { words: "damaged" }, errorCode: null });
    expect(order.forward).toMatchObject({ state: "attention", error: "damaged" });
  });

  it("an event set aside until a time is silent until then, and is not sent by itself [FWD-49] [OP-190]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world, env: { HUB_FORWARD_INTERVAL_MS: "60000" } });
    const call = operatorOf(hub);
    await hub.backOffice.control("POST", "/faults", refusing("ASIDE"));
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    await sell(terminal, "ASIDE");
    await call("tryBackOffice");
    const { eventId } = await until("queued", async () => (await call("forwardEvents")).body.events[0]);
    const setAside = (aheadMs: number) => {
      const until = new Date(clock.world.clock.now() + aheadMs).toISOString();
      return call("setAsideForward", { params: { eventId }, body: { note: "tomorrow", until } });
    };
    expect((await setAside(-1_000)).status).toBe(400);
    expect((await setAside(31 * 86_400_000)).status).toBe(400);
    const { event } = (await setAside(3_600_000)).body;
    expect(event).toMatchObject({ state: "attention", note: "tomorrow", setAsideUntil: expect.any(String) });
    expect((await call("overview", { token: null })).body.forward).toMatchObject({
      pending: 0,
      attention: 0,
      setAside: 1,
      setAsideUntil: event.setAsideUntil,
    });
    expect((await call("closing")).body).toMatchObject({
      ready: false,
      attention: [],
      setAside: [{ posReference: "ASIDE" }],
    });
    await hub.backOffice.control("DELETE", "/faults");
    const finalized = async () => (await hub.backOffice.control("GET", "/orders")).orders.length;
    const before = await finalized();
    clock.advance(3_600_000);
    await until("asked for again", async () => {
      clock.advance(60_000);
      return (await call("overview")).body.forward.attention === 1;
    });
    expect((await call("overview")).body.forward).toMatchObject({ setAside: 0, setAsideUntil: null });
    expect(await finalized()).toBe(before);
    expect((await call("feed")).body.entries).toContainEqual(expect.objectContaining({ kind: "forward_returned" }));
    expect((await call("closing")).body).toMatchObject({ attention: [{ note: "tomorrow", setAsideUntil: null }] });
    await call("retryForward", { params: { eventId } });
    await until("done", async () => (await call("forwardEvent", { params: { eventId } })).body.event.state === "done");
  });

  it("the last outage has its begin, its end, how many orders waited and when they had arrived [OP-191]", async () => {
    const line = await startFaultyLine();
    const clock = manualClock();
    const hub = await startTestHub({ line, world: clock.world, env: { HUB_FORWARD_INTERVAL_MS: "60000" } });
    const call = operatorOf(hub);
    const backOffice = async () => (await call("overview", { token: null })).body.backOffice;
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    await until("reachable", async () => (await backOffice()).state === "reachable");
    expect(await backOffice()).toMatchObject({ cause: null, lastOutage: null });
    await line.down();
    await call("tryBackOffice");
    const downAt = clock.world.clock.now();
    for (const posReference of ["OUTAGE-1", "OUTAGE-2"]) await sell(terminal, posReference);
    expect(await backOffice()).toMatchObject({ state: "unreachable", cause: "no_answer", lastOutage: null });
    clock.advance(840_000);
    await line.up();
    await call("tryBackOffice");
    const { lastOutage } = await until("over", async () =>
      (await backOffice()).lastOutage?.arrivedAt ? backOffice() : null,
    );
    expect(lastOutage).toMatchObject({ from: new Date(downAt).toISOString(), saved: 2, left: 0 });
    expect(Date.parse(lastOutage.until) - downAt).toBeGreaterThanOrEqual(840_000);
  });

  it("an outage keeps its begin over a restart, and its summary is stored [OP-205]", async () => {
    const line = await startFaultyLine();
    const clock = manualClock();
    const hub = await startTestHub({ line, world: clock.world, env: { HUB_FORWARD_INTERVAL_MS: "60000" } });
    const call = operatorOf(hub);
    const backOffice = async () => (await call("overview", { token: null })).body.backOffice;
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    await until("reachable", async () => (await backOffice()).state === "reachable");
    await line.down();
    await call("tryBackOffice");
    const { since } = await backOffice();
    await sell(terminal, "OUTAGE-3");
    clock.advance(840_000);
    await hub.restart();
    await call("tryBackOffice");
    expect(await backOffice()).toMatchObject({ state: "unreachable", since, lastOutage: null });
    await line.up();
    await call("tryBackOffice");
    const after = await until("over", async () => ((await backOffice()).lastOutage?.arrivedAt ? backOffice() : null));
    expect(after.lastOutage).toMatchObject({ from: since, saved: 1, left: 0 });
    await hub.restart();
    expect((await backOffice()).lastOutage).toEqual(after.lastOutage);
    await until("reachable", async () => (await backOffice()).state === "reachable");
    expect((await backOffice()).lastOutage).toEqual(after.lastOutage);
  });

  it("restoring a backup made during an outage does not bring the outage back [OP-205]", async () => {
    const line = await startFaultyLine();
    const hub = await startTestHub({ line });
    const call = operatorOf(hub);
    const backOffice = async () => (await call("overview", { token: null })).body.backOffice;
    await until("reachable", async () => (await backOffice()).state === "reachable");
    await call("me");
    await line.down();
    await call("tryBackOffice");
    const { name } = (await call("makeBackup")).body.backup;
    await line.up();
    await call("tryBackOffice");
    expect((await backOffice()).lastOutage).not.toBeNull();
    expect((await call("restoreBackup", { params: { name }, body: { confirm: name } })).status).toBe(202);
    await hub.restart();
    await until("reachable again", async () => (await backOffice()).state === "reachable");
    expect((await backOffice()).lastOutage).toBeNull();
  });

  it("retrying many events commits 50 at a time and announces each order separately [FWD-34]", async () => {
    const hub = await startTestHub({ env: { HUB_FORWARD_INTERVAL_MS: "600000" } });
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till", caps: [BATCH_CAPABILITY] });
    for (let n = 0; n < 120; n += 1) await sell(terminal, `R${n}`);
    const groups: number[] = [];
    terminal.socket.on("message", (data: Buffer) => {
      const messages = [JSON.parse(String(data)) as HubMessage | HubMessage[]].flat();
      const retried = messages.filter(
        (each) => each.type === "ORDER_CHANGED" && each.order.forward?.state === "pending",
      );
      if (retried.length > 0) groups.push(retried.length);
    });
    expect((await call("retryAllForward", { body: { state: "pending" } })).body).toEqual({ retried: 120 });
    await terminal.request({ type: "HEARTBEAT" });
    expect(groups).toEqual([50, 50, 20]);
  });

  it("a payment that could not be applied stays listed until a manager settles it, once [OP-22]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const stream = await openStream(hub);
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    const payments = [{ methodId: 1, amount: 250.5 }];
    const pay = { type: "ORDER_PAY", posReference: "GONE", baseVersion: 1, payments };
    await expect(terminal.change(pay)).rejects.toThrow("NOT_FOUND");
    await stream.changed("payments");
    expect((await call("feed")).body.entries).toContainEqual(expect.objectContaining({ kind: "payment_unapplied" }));
    const [payment] = (await call("payments")).body.payments;
    expect(payment).toMatchObject({ posReference: "GONE", amount: 250.5, errorCode: "NOT_FOUND", settled: null });
    expect((await call("closing")).body).toMatchObject({ ready: false, unappliedPayments: [{ amount: 250.5 }] });

    const params = { paymentId: payment.paymentId };
    const settled = await call("settlePayment", { params, body: { note: "put on check B" } });
    expect(settled.body.payment.settled).toMatchObject({ note: { words: "put on check B" } });
    expect(await call("settlePayment", { params, body: { note: "again" } })).toMatchObject({
      status: 409,
      body: { errorCode: "CONFLICT" },
    });
    expect((await call("settlePayment", { params, body: {} })).status).toBe(400);
    expect((await call("payments")).body.total).toBe(0);
    expect((await call("payments", { query: { state: "settled" } })).body.payments).toMatchObject([
      { paymentId: payment.paymentId },
    ]);
  });

  it("terminals are notified at once of an unapplied payment and of its settlement [TERM-30]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    await terminal.next("HUB_STATUS", (status) => status.attention === 0);
    const pay = { type: "ORDER_PAY", posReference: "LOST", baseVersion: 1, payments: [{ methodId: 1, amount: 5 }] };
    await expect(terminal.change(pay)).rejects.toThrow("NOT_FOUND");
    clock.advance(100);
    await terminal.next("HUB_STATUS", (status) => status.attention === 1);
    const call = operatorOf(hub);
    const [payment] = (await call("payments")).body.payments;
    await call("settlePayment", { params: { paymentId: payment.paymentId }, body: { note: "given back" } });
    clock.advance(100);
    await terminal.next("HUB_STATUS", (status) => status.attention === 0);
  });

  it("the closing report is ready exactly when nothing prevents closing the shift [OP-23]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    expect((await call("closing")).body).toMatchObject({ ready: true, openChecks: [] });
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    const open = { type: "ORDER_UPSERT", posReference: "CLOSING", baseVersion: 0 };
    await terminal.change({ ...open, snapshot: { orderType: "takeout", lines } });
    expect((await call("closing")).body).toMatchObject({
      ready: false,
      openChecks: [{ posReference: "CLOSING", total: 118 }],
    });
    const payments = [{ methodId: 1, amount: 118 }];
    await terminal.change({ type: "ORDER_PAY", posReference: "CLOSING", baseVersion: 1, payments });
    const report = await until("ready", async () => {
      const { body } = await call("closing");
      return body.ready === true ? body : null;
    });
    expect(report.totals).toEqual({
      paidOrders: 1,
      paidAmount: 118,
      notYetInAccounting: 0,
      byMethod: [{ methodId: 1, amount: 118, payments: 1 }],
    });
  });
});

function outcomeOf(entry: { outcome: string }): string {
  return entry.outcome;
}
