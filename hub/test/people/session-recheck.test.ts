import { HOUR_MS, type HubMessageOf } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { manualClock } from "../support/manual-clock.ts";
import { openSocket } from "../support/open-socket.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const CHECK = "/web/session/get_session_info";

/** Turns heartbeats off: advancing the clock would make every terminal count as silent. */
const noHeartbeats = { HUB_HEARTBEAT_MS: String(24 * HOUR_MS) };
const frequentChecks = { HUB_SESSION_RECHECK_MS: "200" };

/** Returns the number of session checks since the back-office's request log was cleared. */
async function checks(hub: TestHub): Promise<number> {
  const { requests } = await hub.backOffice.control("GET", "/requests");
  return requests.filter(({ path }: { path: string }) => path === CHECK).length;
}

const faults = (hub: TestHub, fault: Record<string, unknown>) =>
  hub.backOffice.control("POST", "/faults", { faults: [{ path: CHECK, ...fault }] });

/** Makes the back-office report every session as this user's. */
const sayUser = (hub: TestHub, user: Record<string, unknown>) =>
  faults(hub, { action: "status", status: 200, body: { jsonrpc: "2.0", result: user } });

describe("rechecks of sessions", () => {
  it("a terminal is closed with 4401 when the back-office has ended its session [TERM-76]", async () => {
    const hub = await startTestHub({ ownBackOffice: true, env: frequentChecks });
    const terminal = await hub.terminal({ login: "cashier" });
    await hub.backOffice.control("DELETE", "/user-sessions");
    expect(await terminal.closed).toBe(4401);
    expect(terminal.received.at(-1)).toMatchObject({ type: "AUTH_FAILED", errorCode: "UNAUTHENTICATED" });
    expect((await hub.send("GET", "/health")).body).toMatchObject({ connectedTerminals: 0 });
  });

  it("a terminal is closed when its session belongs to another person [TERM-76]", async () => {
    const hub = await startTestHub({ env: frequentChecks });
    const terminal = await hub.terminal({ login: "cashier" });
    await sayUser(hub, { uid: 4711, name: "Somebody", pos: { role: "manager", permissions: [] } });
    expect(await terminal.closed).toBe(4401);
  });

  it.each([
    { action: "status", status: 502, body: {} },
    { action: "status", status: 429, body: { error: "slow down", errorCode: "RATE_LIMITED" } },
    { action: "status", status: 200, body: "<html>" },
    { action: "drop-before" },
  ])("a terminal stays connected while the back-office answers a check with %j [TERM-76]", async (fault) => {
    const hub = await startTestHub({ env: frequentChecks });
    const terminal = await hub.terminal({ login: "cashier" });
    await faults(hub, fault);
    await hub.backOffice.control("DELETE", "/requests");
    await until("three checks", async () => (await checks(hub)) >= 3);
    expect(await terminal.request({ type: "HEARTBEAT" })).toMatchObject({ type: "HEARTBEAT_ACK" });
  });

  it("a session is valid for 24 h after its last check, not after its AUTH [TERM-77]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, env: noHeartbeats, world: clock.world });
    const { close } = await hub.terminal({ login: "waiter" });
    for (let round = 0; round < 30; round += 1) {
      const before = await checks(hub);
      await until("a check", async () => {
        clock.advance(HOUR_MS / 10);
        return (await checks(hub)) > before;
      });
    }
    close();
    await hub.backOffice.kill();
    // At least 25 hours after the AUTH.
    clock.advance(22 * HOUR_MS);
    const again = await openSocket(hub.url);
    again.send({ type: "AUTH", token: await hub.signIn("waiter"), deviceId: "waiter" });
    expect(await again.first("AUTH_OK")).toMatchObject({ offline: true, user: { role: "waiter" } });
  });

  it("a terminal gets its user's new role at the next check [TERM-77]", async () => {
    const hub = await startTestHub({ env: frequentChecks });
    const holder = await hub.terminal({ login: "cashier", deviceId: "holder" });
    const { hello, request } = await hub.terminal({ login: "waiter" });
    await holder.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() });
    await holder.request({ type: "LEASE_ACQUIRE", posReference: "A" });
    holder.close();
    const takeOver = () => request({ type: "LEASE_ACQUIRE", posReference: "A", takeover: true });
    expect(await takeOver()).toMatchObject({ type: "LEASE_DENIED" });
    const { id: uid, name } = hello.user;
    await sayUser(hub, { uid, name, pos: { role: "manager", permissions: ["refund"] } });
    await until("the new role to count", async () => (await takeOver()).type === "LEASE_GRANTED");
  });

  it("a cached identity is confirmed once the back-office answers again [TERM-77]", async () => {
    const hub = await startTestHub({ env: frequentChecks });
    const call = operatorOf(hub);
    await hub.signIn("manager");
    (await hub.terminal({ login: "waiter" })).close();
    await faults(hub, { action: "drop-before" });
    await hub.terminal({ login: "waiter" });
    await hub.backOffice.control("DELETE", "/faults");
    await until("its identity to be confirmed", async () => {
      const [terminal] = (await call("terminals")).body.terminals;
      return terminal?.state === "connected" && !terminal.offlineIdentity;
    });
  });

  it("a terminal continues with the token that replaces the former one [TERM-77]", async () => {
    const hub = await startTestHub({ ownBackOffice: true, env: frequentChecks });
    const token = await hub.signIn("waiter");
    const terminal = await hub.terminal({ login: "waiter" });
    await hub.backOffice.control("POST", "/quirks", { rotateSession: "hard" });
    const first = await terminal.next("TOKEN_CHANGED");
    const second = await terminal.next("TOKEN_CHANGED");
    expect(new Set([token, first.token, second.token]).size).toBe(3);
    await hub.backOffice.control("DELETE", "/quirks");
    for (const shown of [token, first.token]) {
      const again = await openSocket(hub.url);
      again.send({ type: "AUTH", token: shown, deviceId: "waiter" });
      const hello = (await again.first("AUTH_OK")) as HubMessageOf<"AUTH_OK">;
      expect(hello.token).toMatch(/./);
      expect([token, first.token]).not.toContain(hello.token);
    }
  });

  it("a terminal continues when its token was rotated during the check [TERM-77]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const token = await hub.signIn("waiter");
    await hub.backOffice.control("POST", "/quirks", { rotateSession: "hard" });
    await faults(hub, { times: 1, latencyMs: 300 });
    const [one, other] = [await openSocket(hub.url), await openSocket(hub.url)];
    one.send({ type: "AUTH", token, deviceId: "one" });
    await until("its check", async () => (await checks(hub)) === 1);
    other.send({ type: "AUTH", token, deviceId: "other" });
    expect(await other.first("AUTH_OK")).toMatchObject({ token: expect.any(String) });
    expect(await one.first("AUTH_OK")).toMatchObject({ token: expect.any(String) });
  });

  it("sessions are checked once per interval, one terminal after the other [TERM-78]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, env: noHeartbeats, world: clock.world });
    const deviceIds = ["a", "b", "c", "d"];
    const terminals = await Promise.all(deviceIds.map((deviceId) => hub.terminal({ deviceId })));
    await faults(hub, { action: "hang-before", times: 1 });
    await hub.backOffice.control("DELETE", "/requests");
    // The first run registers the terminals; a later one finds all of them due.
    clock.advance(1_000);
    await terminals[0]?.request({ type: "HEARTBEAT" });
    clock.advance(299_000);
    await until("the first check", async () => {
      clock.advance(1_000);
      return (await checks(hub)) === 1;
    });
    clock.advance(200_000);
    for (const terminal of terminals) await terminal.request({ type: "HEARTBEAT" });
    expect(await checks(hub)).toBe(1);
    await hub.backOffice.control("DELETE", "/faults");
    await until("the others", async () => (await checks(hub)) === deviceIds.length);
  });

  it("the empty token of HUB_DEV_AUTH is not checked again [TERM-78]", async () => {
    const hub = await startTestHub({ ownBackOffice: true, env: { ...frequentChecks, HUB_DEV_AUTH: "true" } });
    const terminal = await openSocket(hub.url);
    terminal.send({ type: "AUTH", token: "", deviceId: "till-1" });
    await terminal.first("AUTH_OK");
    const other = await hub.terminal({ login: "waiter" });
    await hub.backOffice.control("DELETE", "/user-sessions");
    expect(await other.closed).toBe(4401);
    terminal.send({ type: "HEARTBEAT", requestId: "h" });
    expect(await terminal.first("HEARTBEAT_ACK")).toMatchObject({ requestId: "h" });
  });
});

describe("revoked roles", () => {
  /** Starts a hub with a manager at a tablet, whose next session has the role of waiter. */
  async function startDemoted() {
    const hub = await startTestHub({ ownBackOffice: true });
    const terminal = await hub.terminal({ login: "manager", deviceId: "old" });
    expect(terminal.hello.user).toMatchObject({ role: "manager" });
    const { id: uid, name } = terminal.hello.user;
    return {
      hub,
      terminal,
      async demote() {
        const credentials = { login: "manager", password: "manager" };
        const { token } = (await operatorOf(hub)("signIn", { body: credentials, token: null })).body;
        await sayUser(hub, { uid, name, username: "manager", pos: { role: "waiter", permissions: [] } });
        const other = await openSocket(hub.url);
        other.send({ type: "AUTH", token, deviceId: "new" });
        expect(await other.first("AUTH_OK")).toMatchObject({ offline: false, user: { role: "waiter" } });
      },
    };
  }

  it("a revoked role does not return with another session during an outage, over a restart [TERM-179]", async () => {
    const { hub, terminal, demote } = await startDemoted();
    terminal.close();
    await demote();
    await hub.backOffice.kill();
    await hub.restart();
    const again = await openSocket(hub.url);
    again.send({ type: "AUTH", token: await hub.signIn("manager"), deviceId: "old" });
    expect(await again.first("AUTH_OK")).toMatchObject({ offline: true, user: { role: "waiter" } });
  });

  it("a revoked role does not return by a late answer to an earlier check [TERM-179]", async () => {
    const { hub, terminal } = await startDemoted();
    const { id: uid, name } = terminal.hello.user;
    const holder = await hub.terminal({ login: "cashier", deviceId: "holder" });
    await holder.request({ type: "LEASE_ACQUIRE", posReference: "A" });
    const body = { login: "manager", password: "manager" };
    const { token } = (await operatorOf(hub)("signIn", { body, token: null })).body;
    const say = (role: string, overrides: object = {}) => {
      const result = { uid, name, username: "manager", pos: { role, permissions: [] } };
      return { path: CHECK, action: "status", status: 200, body: { jsonrpc: "2.0", result }, ...overrides };
    };
    const faults = [say("manager", { times: 1, latencyMs: 1_500 }), say("waiter")];
    await hub.backOffice.control("POST", "/faults", { faults });
    await hub.backOffice.control("DELETE", "/requests");
    const slow = await openSocket(hub.url);
    slow.send({ type: "AUTH", token: await hub.signIn("manager"), deviceId: "slow" });
    await until("the first question", async () => (await checks(hub)) === 1);
    const other = await openSocket(hub.url);
    other.send({ type: "AUTH", token, deviceId: "new" });
    expect(await other.first("AUTH_OK")).toMatchObject({ user: { role: "waiter" } });
    expect(await slow.first("AUTH_OK")).toMatchObject({ offline: false, user: { role: "waiter" } });
    const takeOver = { type: "LEASE_ACQUIRE", posReference: "A", takeover: true } as const;
    expect(await terminal.request(takeOver)).toMatchObject({ type: "LEASE_DENIED" });
  });

  it("a revoked role ends at once on the terminals where its user is signed in [TERM-179]", async () => {
    const { hub, terminal, demote } = await startDemoted();
    const holder = await hub.terminal({ login: "cashier", deviceId: "holder" });
    await holder.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() });
    await holder.request({ type: "LEASE_ACQUIRE", posReference: "A" });
    await demote();
    const takeOver = { type: "LEASE_ACQUIRE", posReference: "A", takeover: true } as const;
    expect(await terminal.request(takeOver)).toMatchObject({ type: "LEASE_DENIED" });
  });
});
