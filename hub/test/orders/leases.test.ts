import { describe, expect, it } from "vitest";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { manualClock } from "../support/manual-clock.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const posReference = "ORDER-1";

async function acquire(terminal: TestTerminal, overrides: Record<string, unknown> = {}) {
  const answer = await terminal.request({ type: "LEASE_ACQUIRE", posReference, ...overrides });
  if (answer.type !== "LEASE_GRANTED" && answer.type !== "LEASE_DENIED") throw new Error(JSON.stringify(answer));
  return answer;
}

async function granted(terminal: TestTerminal, overrides: Record<string, unknown> = {}) {
  const answer = await acquire(terminal, overrides);
  if (answer.type !== "LEASE_GRANTED") throw new Error("the lease was denied");
  return answer;
}

const activeLeases = async (hub: TestHub): Promise<number> => (await hub.send("GET", "/health")).body.activeLeases;

describe("acquiring", () => {
  it("acquiring the lease of a free order grants it for the configured time [LEASE-1, LEASE-14]", async () => {
    const hub = await startTestHub({ env: { HUB_LEASE_TTL_MS: "45000" } });
    const terminal = await hub.terminal();
    const before = Date.now();
    const answer = await acquire(terminal, { requestId: "r" }).catch(() => null);
    expect(answer).toEqual({
      type: "LEASE_GRANTED",
      requestId: "r",
      posReference,
      leaseId: expect.any(String),
      role: "editor",
      expiresAt: expect.any(String),
      ttlMs: 45_000,
    });
    const expiresAt = Date.parse(answer?.type === "LEASE_GRANTED" ? answer.expiresAt : "");
    expect(expiresAt).toBeGreaterThanOrEqual(before + 45_000);
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 45_000);
    expect(await activeLeases(hub)).toBe(1);
    expect(await granted(terminal, { role: "checkout" })).toMatchObject({ role: "checkout" });
  });

  it("acquiring another terminal's lease is denied and changes nothing [LEASE-2]", async () => {
    const hub = await startTestHub();
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ login: "cashier", deviceId: "two" });
    const { expiresAt } = await granted(one);
    expect(await acquire(two)).toMatchObject({
      type: "LEASE_DENIED",
      posReference,
      errorCode: "LEASE_HELD",
      holder: { terminalId: "one", userName: one.hello.user.name, role: "editor", expiresAt },
    });
    expect((await hub.terminal({ deviceId: "three" })).sync.leases).toMatchObject([{ terminalId: "one", expiresAt }]);
  });

  it("acquiring one's own lease renews it [LEASE-3]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const terminal = await hub.terminal();
    const first = await granted(terminal);
    clock.advance(1_000);
    const second = await granted(terminal);
    expect(second.leaseId).toBe(first.leaseId);
    expect(Date.parse(second.expiresAt) - Date.parse(first.expiresAt)).toBe(1_000);
  });

  it("one of many terminals that acquire a lease at once gets it [LEASE-2]", async () => {
    const hub = await startTestHub();
    const terminals = await Promise.all(Array.from({ length: 8 }, (_, i) => hub.terminal({ deviceId: `t${i}` })));
    const answers = await Promise.all(terminals.map((terminal) => acquire(terminal)));
    expect(answers.filter((answer) => answer.type === "LEASE_GRANTED")).toHaveLength(1);
  });
});

describe("ending", () => {
  it("a terminal can release only its own current lease [LEASE-4]", async () => {
    const hub = await startTestHub();
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ deviceId: "two" });
    const { leaseId } = await granted(one);
    two.send({ type: "LEASE_RELEASE", posReference });
    await two.next("LEASE_RELEASED");
    one.send({ type: "LEASE_RELEASE", posReference, leaseId: "older" });
    await one.next("LEASE_RELEASED");
    expect(await activeLeases(hub)).toBe(1);
    one.send({ type: "LEASE_RELEASE", posReference, leaseId, requestId: "r" });
    expect(await one.next("LEASE_RELEASED", (answer) => answer.requestId === "r")).toMatchObject({ posReference });
    expect(await activeLeases(hub)).toBe(0);
    expect((await acquire(two)).type).toBe("LEASE_GRANTED");
  });

  it("lease changes except renewals go to the other terminals, and the writer gets only its answer [LEASE-5]", async () => {
    const hub = await startTestHub();
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ deviceId: "two" });
    await granted(one);
    expect(await two.next("LEASE_CHANGED")).toMatchObject({ posReference, holder: { terminalId: "one" } });
    await granted(one);
    one.send({ type: "LEASE_RELEASE", posReference });
    expect(await two.next("LEASE_CHANGED")).toEqual({ type: "LEASE_CHANGED", posReference, holder: null });
    expect(one.received.filter((message) => message.type === "LEASE_CHANGED")).toEqual([]);
  });

  it("a manager's takeover moves the lease, and the former holder is notified [LEASE-6]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "one" });
    const manager = await hub.terminal({ login: "manager", deviceId: "boss" });
    const first = await granted(waiter);
    const moved = await granted(manager, { takeover: true });
    expect(moved.leaseId).not.toBe(first.leaseId);
    expect(await waiter.next("LEASE_REVOKED")).toEqual({
      type: "LEASE_REVOKED",
      posReference,
      by: { terminalId: "boss", userName: manager.hello.user.name },
    });
    expect(await waiter.next("LEASE_CHANGED")).toMatchObject({ holder: { terminalId: "boss" } });
    expect(await acquire(waiter)).toMatchObject({ type: "LEASE_DENIED", holder: { terminalId: "boss" } });
    expect(manager.received.filter((message) => message.type === "LEASE_REVOKED")).toEqual([]);
  });

  it.each(["waiter", "cashier"])("a takeover by a %s is denied like any other acquisition [LEASE-7]", async (login) => {
    const hub = await startTestHub();
    await granted(await hub.terminal({ deviceId: "one" }));
    const other = await hub.terminal({ login, deviceId: "two" });
    expect(await acquire(other, { takeover: true, requestId: "r" })).toMatchObject({
      type: "LEASE_DENIED",
      errorCode: "LEASE_HELD",
      error: expect.stringContaining("only a manager may take it over"),
      holder: { terminalId: "one" },
      requestId: "r",
    });
    expect((await hub.terminal({ deviceId: "three" })).sync.leases).toMatchObject([{ terminalId: "one" }]);
    expect(await acquire(other, { posReference: "FREE", takeover: true })).toMatchObject({ type: "LEASE_GRANTED" });
  });

  it("a lease ends at expiresAt unless a heartbeat renews it [LEASE-8]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world, env: { HUB_HEARTBEAT_MS: "60000" } });
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ deviceId: "two" });
    await granted(one);
    clock.advance(40_000);
    one.send({ type: "HEARTBEAT", requestId: "h" });
    await one.next("HEARTBEAT_ACK");
    clock.advance(59_999);
    expect((await acquire(two)).type).toBe("LEASE_DENIED");
    clock.advance(1);
    expect(await one.next("LEASE_CHANGED")).toEqual({ type: "LEASE_CHANGED", posReference, holder: null });
    expect((await acquire(two)).type).toBe("LEASE_GRANTED");
  });

  it("a disconnected terminal keeps its lease until the grace ends [LEASE-9]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ deviceId: "two" });
    await granted(one);
    one.socket.terminate();
    await two.next("TERMINAL_LEFT");
    clock.advance(9_999);
    expect((await acquire(two)).type).toBe("LEASE_DENIED");
    clock.advance(1);
    expect(await two.next("LEASE_CHANGED", (message) => message.holder === null)).toMatchObject({ posReference });
    expect((await acquire(two)).type).toBe("LEASE_GRANTED");
  });

  it("a disconnected terminal's lease ends at its expiry when that is before the grace's end [LEASE-9]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ deviceId: "two" });
    await granted(one);
    clock.advance(55_000 - 20_000);
    two.send({ type: "HEARTBEAT" });
    one.send({ type: "HEARTBEAT", requestId: "late" });
    await one.next("HEARTBEAT_ACK");
    clock.advance(39_000);
    two.send({ type: "HEARTBEAT", requestId: "x" });
    await two.next("HEARTBEAT_ACK", (ack) => ack.requestId === "x");
    clock.advance(16_000);
    one.socket.terminate();
    await two.next("TERMINAL_LEFT");
    clock.advance(5_000);
    expect((await acquire(two)).type).toBe("LEASE_GRANTED");
  });

  it("a device that reconnects within the grace keeps its leases [LEASE-10]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ deviceId: "two" });
    const { leaseId } = await granted(one);
    one.socket.terminate();
    await two.next("TERMINAL_LEFT");
    clock.advance(9_000);
    const back = await hub.terminal({ deviceId: "one" });
    expect(back.sync.leases).toMatchObject([{ leaseId, terminalId: "one" }]);
    clock.advance(9_000);
    expect((await acquire(two)).type).toBe("LEASE_DENIED");
    expect(await granted(back)).toMatchObject({ leaseId });
  });

  it("a device keeps its leases when a newer connection replaces the older one [LEASE-10]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const one = await hub.terminal({ deviceId: "one" });
    const { leaseId } = await granted(one);
    const again = await hub.terminal({ deviceId: "one" });
    await one.closed;
    clock.advance(15_000);
    expect(await granted(again)).toMatchObject({ leaseId });
  });

  it("leases outlive a restart until they expire [LEASE-11]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const { leaseId } = await granted(await hub.terminal({ deviceId: "one" }));
    clock.advance(20_000);
    await hub.restart();
    const two = await hub.terminal({ deviceId: "two" });
    expect(two.sync.leases).toMatchObject([{ leaseId, terminalId: "one" }]);
    clock.advance(30_000);
    two.send({ type: "HEARTBEAT" });
    expect((await acquire(two)).type).toBe("LEASE_DENIED");
    clock.advance(10_000);
    expect((await acquire(two)).type).toBe("LEASE_GRANTED");
  });

  it("setting the clock forward or back neither ends nor prolongs a lease [LEASE-12]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world, env: { HUB_HEARTBEAT_MS: "60000" } });
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ deviceId: "two" });
    await granted(one);
    clock.jumpWall(5 * 3_600_000);
    clock.advance(59_000);
    expect((await acquire(two)).type).toBe("LEASE_DENIED");
    clock.jumpWall(-48 * 3_600_000);
    clock.advance(999);
    expect((await acquire(two)).type).toBe("LEASE_DENIED");
    clock.advance(1);
    expect((await acquire(two)).type).toBe("LEASE_GRANTED");
  });

  it.each([3_000, 8 * 3_600_000])("every lease gets a new grace after a sleep of %i ms [LEASE-13]", async (asleep) => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world, env: { HUB_HEARTBEAT_MS: "60000" } });
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ deviceId: "two" });
    await granted(one);
    clock.advance(58_000);
    clock.sleep(asleep);
    clock.advance(9_000);
    expect((await acquire(two)).type).toBe("LEASE_DENIED");
    clock.advance(3_000);
    expect((await acquire(two)).type).toBe("LEASE_GRANTED");
  });

  it("a lease that expired while the hub stood still ends after a new grace [LEASE-13]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world, env: { HUB_HEARTBEAT_MS: "60000" } });
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ deviceId: "two" });
    clock.advance(500);
    await granted(one);
    expect(await two.next("LEASE_CHANGED")).toMatchObject({ holder: { terminalId: "one" } });
    clock.advance(59_700);
    clock.stall(3_000);
    clock.advance(0);
    expect((await acquire(two)).type).toBe("LEASE_DENIED");
    clock.advance(10_000);
    expect(await two.next("LEASE_CHANGED")).toEqual({ type: "LEASE_CHANGED", posReference, holder: null });
  });

  it("a finished order cannot be leased [LEASE-17]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const pay = { type: "ORDER_PAY", payments: [{ methodId: 1, amount: 100 }] };
    for (const [posReference, end, errorCode] of [
      ["PAID", pay, "ORDER_LOCKED"],
      ["GONE", { type: "ORDER_DISCARD" }, "NOT_FOUND"],
    ] as const) {
      await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
      await till.change({ ...end, posReference, baseVersion: 1 });
      expect(await till.request({ type: "LEASE_ACQUIRE", posReference })).toMatchObject({ type: "ERROR", errorCode });
    }
    expect(await activeLeases(hub)).toBe(0);
  });

  it("a lease ends when its order is paid or discarded [LEASE-15]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const other = await hub.terminal({ deviceId: "other" });
    for (const end of [{ type: "ORDER_PAY", payments: [{ methodId: 1, amount: 100 }] }, { type: "ORDER_DISCARD" }]) {
      const reference = `END-${end.type}`;
      await till.change({
        type: "ORDER_UPSERT",
        posReference: reference,
        baseVersion: 0,
        snapshot: terminalSnapshot(),
      });
      await granted(till, { posReference: reference });
      await till.change({ ...end, posReference: reference, baseVersion: 1 });
      await other.next("LEASE_CHANGED", (message) => message.posReference === reference && message.holder === null);
    }
    expect(await activeLeases(hub)).toBe(0);
  });

  it("a lease acquired just before a disconnect ends after the grace [LEASE-9]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ deviceId: "two" });
    one.send({ type: "LEASE_ACQUIRE", posReference });
    one.socket.close();
    await two.next("TERMINAL_LEFT");
    await until("the grant", async () => (await activeLeases(hub)) === 1);
    clock.advance(10_000);
    expect((await acquire(two)).type).toBe("LEASE_GRANTED");
  });
});

describe("limits", () => {
  const hold = (terminal: TestTerminal, reference: string, fields: Record<string, unknown> = {}) =>
    terminal.request({ type: "LEASE_ACQUIRE", posReference: reference, ...fields });

  it("a lease is granted for an existing order, and for one that a terminal is about to create [LEASE-18]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const other = await hub.terminal({ deviceId: "other" });
    expect(await hold(terminal, "EXT/key/1")).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    expect(await activeLeases(hub)).toBe(0);
    expect(await hold(terminal, "TO-COME")).toMatchObject({ type: "LEASE_GRANTED" });
    expect(await hold(other, "TO-COME")).toMatchObject({ type: "LEASE_DENIED", errorCode: "LEASE_HELD" });
    await terminal.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() });
    expect(await hold(terminal, "A")).toMatchObject({ type: "LEASE_GRANTED" });
  });

  it("a terminal holds at most 50 leases [LEASE-19]", async () => {
    const hub = await startTestHub();
    const manager = await hub.terminal({ login: "manager", deviceId: "boss" });
    const other = await hub.terminal({ deviceId: "other" });
    const references = Array.from({ length: 50 }, (_, i) => `N${i}`);
    for (const reference of references) {
      expect(await hold(manager, reference)).toMatchObject({ type: "LEASE_GRANTED" });
    }
    expect(await hold(manager, "N50")).toMatchObject({ type: "ERROR", errorCode: "LIMIT_REACHED" });
    expect(await hold(other, "THEIRS")).toMatchObject({ type: "LEASE_GRANTED" });
    expect(await hold(manager, "THEIRS", { takeover: true })).toMatchObject({ errorCode: "LIMIT_REACHED" });
    expect(await hold(manager, "N7", { role: "checkout" })).toMatchObject({ type: "LEASE_GRANTED" });
    expect(await activeLeases(hub)).toBe(51);
    manager.send({ type: "LEASE_RELEASE", posReference: "N0" });
    expect(await hold(manager, "N50")).toMatchObject({ type: "LEASE_GRANTED" });
  });

  it("all terminals of a user hold at most 200 leases together [LEASE-90]", async () => {
    const hub = await startTestHub();
    for (let device = 0; device < 4; device += 1) {
      const terminal = await hub.terminal({ deviceId: `of-ana-${device}` });
      for (let n = 0; n < 50; n += 1) await hold(terminal, `D${device}-${n}`);
    }
    expect(await activeLeases(hub)).toBe(200);
    const fifth = await hub.terminal({ deviceId: "of-ana-4" });
    expect(await hold(fifth, "ONE-MORE")).toMatchObject({ errorCode: "LIMIT_REACHED" });
    const cashier = await hub.terminal({ login: "cashier", deviceId: "till" });
    expect(await hold(cashier, "ONE-MORE")).toMatchObject({ type: "LEASE_GRANTED" });
  });

  it("a lease for an order that does not exist yet reserves its reference until the lease expires [LEASE-20]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world, env: { HUB_HEARTBEAT_MS: "600000" } });
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ deviceId: "two" });
    for (const reference of ["KEPT", "NEVER"]) await hold(one, reference);
    const upsert = { type: "ORDER_UPSERT", posReference: "KEPT", baseVersion: 0, snapshot: terminalSnapshot() };
    await expect(two.change(upsert)).rejects.toThrow("LEASE_HELD");
    await one.change(upsert);
    expect(await hold(two, "KEPT")).toMatchObject({ type: "LEASE_DENIED", holder: { terminalId: "one" } });
    clock.advance(60_000);
    await until("both leases to end", async () => (await activeLeases(hub)) === 0);
  });
});
