import { describe, expect, it } from "vitest";
import { backUp } from "../data-file/restore-steps.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

describe("terminals", () => {
  it("a connected terminal is listed, and the unsent work of one that disconnected is shown [OP-37]", async () => {
    const hub = await startTestHub({ env: { HUB_GRACE_MS: "200" } });
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "waiter", deviceId: "tablet-1" });
    const oldestAt = "2026-11-20T18:00:00.000Z";
    terminal.send({ type: "HEARTBEAT", outbox: { pending: 3, oldestAt } });
    await terminal.next("HEARTBEAT_ACK");
    terminal.send({ type: "PRESENCE", tableId: 4 });
    const here = await until("presence", async () => {
      const [first] = (await call("terminals")).body.terminals;
      return first?.presence === null ? null : first;
    });
    expect(here).toMatchObject({
      terminalId: "tablet-1",
      user: { role: "waiter" },
      state: "connected",
      presence: { tableId: 4 },
      outbox: { pending: 3, oldestAt },
      leases: [],
    });
    terminal.close();
    const dark = await until("away", async () => {
      const [first] = (await call("terminals")).body.terminals;
      return first?.state === "away" ? first : null;
    });
    expect(dark).toMatchObject({ user: { role: "waiter" }, outbox: { pending: 3, oldestAt } });
    expect((await call("overview")).body.terminals).toMatchObject({
      connected: 0,
      away: 1,
      unsent: { pending: 3, oldestAt, terminals: 1 },
    });
    expect((await call("closing")).body).toMatchObject({
      ready: false,
      unsentTerminals: [{ terminalId: "tablet-1", pending: 3 }],
    });
  });

  it("a manager releases a lease at once, and its holder and all others are notified [OP-20] [LEASE-102]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const holder = await hub.terminal({ deviceId: "tablet-1" });
    const other = await hub.terminal({ login: "cashier", deviceId: "till-1" });
    const order = { type: "ORDER_UPSERT", posReference: "A/1", baseVersion: 0 };
    await holder.change({ ...order, snapshot: { orderType: "takeout", lines: [] } });
    holder.send({ type: "LEASE_ACQUIRE", posReference: "A/1" });
    await holder.next("LEASE_GRANTED");
    expect((await call("leases")).body.leases).toMatchObject([
      { posReference: "A/1", terminalId: "tablet-1", connected: true, place: { orderType: "takeout", tableId: null } },
    ]);
    expect((await call("releaseLease", { params: { posReference: "A/1" } })).body).toEqual({ released: true });
    expect(await holder.next("LEASE_REVOKED")).toMatchObject({ posReference: "A/1", by: { terminalId: "hub" } });
    expect(await other.next("LEASE_CHANGED", (message) => message.holder === null)).toMatchObject({
      posReference: "A/1",
    });
    expect((await call("leases")).body.leases).toEqual([]);
    expect((await call("releaseLease", { params: { posReference: "A/1" } })).status).toBe(404);
    expect((await call("audit")).body.entries).toMatchObject([{ action: "lease.release", target: "A/1" }]);
  });

  it("a manager disconnects a terminal, and forgets one that is away [OP-38] [OP-71]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ deviceId: "tablet-1" });
    const params = { terminalId: "tablet-1" };
    expect((await call("disconnectTerminal", { params })).body).toEqual({ disconnected: true });
    expect(await terminal.closed).toBe(1001);
    await until("gone", async () => (await call("terminals")).body.terminals[0]?.state !== "connected");
    expect((await call("disconnectTerminal", { params })).status).toBe(404);
    expect((await call("forgetTerminal", { params })).body).toEqual({ deleted: true });
    expect((await call("terminals")).body.terminals).toEqual([]);
    expect((await call("forgetTerminal", { params })).status).toBe(404);
    expect((await call("audit")).body.entries).toMatchObject([
      { action: "terminal.forget" },
      { action: "terminal.disconnect" },
    ]);
  });

  it("forgetting a connected terminal disconnects it for good and invalidates its key [OP-71]", async () => {
    const hub = await startTestHub({ env: { HUB_HEARTBEAT_MS: "300" } });
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "waiter", deviceId: "tablet-1" });
    const params = { terminalId: "tablet-1" };
    // Heartbeats during the deletion do not bring it back.
    const beat = setInterval(() => terminal.send({ type: "HEARTBEAT" }), 1);
    expect((await call("forgetTerminal", { params })).body).toEqual({ deleted: true });
    expect((await call("terminals")).body.terminals).toEqual([]);
    expect(await terminal.closed).toBe(4403);
    clearInterval(beat);
    expect(terminal.received.at(-1)).toMatchObject({ type: "AUTH_FAILED", errorCode: "FORBIDDEN" });
    expect((await call("terminals")).body.terminals).toEqual([]);
    expect((await call("forgetTerminal", { params })).status).toBe(404);
    expect((await call("audit")).body.entries).toMatchObject([{ action: "terminal.forget", target: "tablet-1" }]);
    const { entries } = (await call("feed")).body;
    expect(entries).toContainEqual(
      expect.objectContaining({
        kind: "terminal_forgotten",
        detail: expect.objectContaining({ terminalId: "tablet-1" }),
      }),
    );
    const next = await hub.terminal({ login: "cashier", deviceId: "tablet-1" });
    expect(next.hello.deviceKey).toMatch(/./);
    expect(next.hello.deviceKey).not.toBe(terminal.hello.deviceKey);
  });

  it("the pairing data returns how a terminal finds the hub [OP-39]", async () => {
    const hub = await startTestHub({ env: { HUB_NAME: "Casa Mía" } });
    const { body } = await operatorOf(hub)("pairing", { token: null });
    expect(body).toMatchObject({ name: "Casa Mía", port: hub.port, discovery: { state: "off" } });
    expect(body.addresses).toContainEqual(
      expect.objectContaining({ wsUrl: `ws://127.0.0.1:${hub.port}`, kind: "loopback" }),
    );
  });

  it(
    "after a restore, unsent work of terminals is still known, and forgotten devices stay forgotten [OP-567]",
    { tags: "long" },
    async () => {
      const hub = await startTestHub({ env: { HUB_GRACE_MS: "200" } });
      const call = operatorOf(hub);
      const disconnected = await hub.terminal({ login: "waiter", deviceId: "gone" });
      disconnected.close();
      const restore = await backUp(hub);
      await call("forgetTerminal", { params: { terminalId: "gone" } });
      const terminal = await hub.terminal({ login: "cashier", deviceId: "tablet-1" });
      const outbox = { pending: 1, oldestAt: "2026-11-20T18:00:00.000Z", payments: 1, amount: 77 };
      terminal.send({ type: "HEARTBEAT", outbox });
      await terminal.next("HEARTBEAT_ACK");
      const { deviceKey } = terminal.hello;
      terminal.close();
      await until("away", async () => (await call("overview")).body.terminals.connected === 0);
      await restore();
      expect((await call("closing")).body).toMatchObject({
        ready: false,
        unsentTerminals: [{ terminalId: "tablet-1", ...outbox }],
      });
      expect((await call("terminals")).body.terminals.map((each: { terminalId: string }) => each.terminalId)).toEqual([
        "tablet-1",
      ]);
      const back = await hub.terminal({
        login: "waiter",
        deviceId: "tablet-1",
        ...(deviceKey !== undefined && { deviceKey }),
      });
      expect(back.hello.deviceKey).toBeUndefined();
    },
  );
});
