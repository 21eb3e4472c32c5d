import { readFileSync } from "node:fs";
import type { HubMessageOf } from "@comanda/protocol";
import Database from "better-sqlite3";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { registerSeal } from "../../db/rows/seal.ts";
import { realWorld } from "../../platform/world.ts";
import { openSocket, type OpenSocket } from "../support/open-socket.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

interface Attempt {
  login: string;
  deviceId?: string;
  deviceKey?: string | undefined;
}

async function authenticate(hub: TestHub, { login, deviceId = "till-1", deviceKey }: Attempt): Promise<OpenSocket> {
  const socket = await openSocket(hub.url);
  socket.send({ type: "AUTH", token: await hub.signIn(login), deviceId, deviceKey });
  return socket;
}

/** Signs in. Returns the connection, the user and the device key. */
async function enter(hub: TestHub, attempt: Attempt) {
  const socket = await authenticate(hub, attempt);
  const { user, deviceKey } = (await socket.first("AUTH_OK")) as HubMessageOf<"AUTH_OK">;
  return { ...socket, user, deviceKey };
}

async function expectDeviceTaken(hub: TestHub, attempt: Attempt): Promise<void> {
  const socket = await authenticate(hub, attempt);
  expect(await socket.closed).toBe(4403);
  expect(socket.received).toEqual([
    {
      type: "AUTH_FAILED",
      errorCode: "DEVICE_TAKEN",
      error: expect.stringContaining(attempt.deviceId ?? "till-1"),
      hubId: expect.any(String),
    },
  ]);
}

async function expectAtWork({ send, received, socket }: OpenSocket): Promise<void> {
  const requestId = crypto.randomUUID();
  send({ type: "HEARTBEAT", requestId });
  await until("the answer to a heartbeat", () =>
    received.some((message) => message.type === "HEARTBEAT_ACK" && message.requestId === requestId),
  );
  expect(socket.readyState).toBe(socket.OPEN);
}

const world = realWorld(pino({ level: "silent" }));

/** Changes the data file while the hub is off. */
function editDataFile(hub: TestHub, sql: string): void {
  const db = new Database(hub.dbPath);
  registerSeal(db);
  db.exec(sql);
  db.close();
}

describe("device keys", () => {
  it("a device's key comes with its first sign-in, and admits any user there [TERM-71]", async () => {
    const hub = await startTestHub();
    const first = await enter(hub, { login: "waiter" });
    expect(first.deviceKey).toMatch(/^[\w-]{43}$/);
    expect(first.user.permissions).toEqual([]);
    const next = await enter(hub, { login: "cashier", deviceKey: first.deviceKey });
    expect(next).toMatchObject({ user: { role: "cashier" }, deviceKey: undefined });
    expect(await first.closed).toBe(4409);
    expect((await enter(hub, { login: "waiter", deviceKey: first.deviceKey })).deviceKey).toBeUndefined();
  });

  it("every device has its own key, and an unknown key does not prevent a new device's sign-in [TERM-71]", async () => {
    const hub = await startTestHub();
    const one = await enter(hub, { login: "waiter", deviceId: "one" });
    const other = await enter(hub, { login: "cashier", deviceId: "other", deviceKey: one.deviceKey });
    expect(other.deviceKey).toMatch(/^[\w-]{43}$/);
    expect(other.deviceKey).not.toBe(one.deviceKey);
    await expectDeviceTaken(hub, { login: "cashier", deviceId: "one", deviceKey: other.deviceKey });
  });

  it("AUTH_OK has the permissions of the user [TERM-71]", async () => {
    const hub = await startTestHub();
    expect((await enter(hub, { login: "manager" })).user.permissions).toEqual(["refund"]);
  });

  it.each([undefined, "", "made-up", "x".repeat(128)])(
    "another user with the device key %j is refused, and the signed-in terminal is not affected [TERM-72]",
    async (deviceKey) => {
      const hub = await startTestHub();
      const atWork = await enter(hub, { login: "cashier" });
      await expectDeviceTaken(hub, { login: "waiter", deviceKey });
      await expectAtWork(atWork);
      atWork.socket.close();
      await atWork.closed;
      await expectDeviceTaken(hub, { login: "waiter", deviceKey });
      await hub.restart();
      await expectDeviceTaken(hub, { login: "waiter", deviceKey });
      expect((await enter(hub, { login: "waiter", deviceKey: atWork.deviceKey })).user.role).toBe("waiter");
    },
  );

  it.each(["cashier", "manager"])(
    "a device's key is replaced when the %s signs in without it [TERM-72]",
    async (login) => {
      const hub = await startTestHub();
      const former = await enter(hub, { login: "cashier" });
      const next = await enter(hub, { login });
      expect(next.deviceKey).toMatch(/^[\w-]{43}$/);
      expect(next.deviceKey).not.toBe(former.deviceKey);
      await expectDeviceTaken(hub, { login: "waiter", deviceKey: former.deviceKey });
      await enter(hub, { login: "waiter", deviceKey: next.deviceKey });
    },
  );

  it("the user who was last on a device may sign in without its key, also after a shift change [TERM-72]", async () => {
    const hub = await startTestHub();
    const { deviceKey } = await enter(hub, { login: "cashier" });
    await enter(hub, { login: "waiter", deviceKey });
    await expectDeviceTaken(hub, { login: "cashier" });
    expect((await enter(hub, { login: "waiter" })).deviceKey).not.toBe(deviceKey);
  });

  it("a device can belong to a user whose name is longer than a close frame [TERM-80]", async () => {
    const hub = await startTestHub();
    const name = "Ñandú 東京 ".repeat(20);
    const result = { uid: 4711, name, pos: { role: "waiter", permissions: [] } };
    const fault = { path: "/web/session/get_session_info", times: 1, action: "status", status: 200 };
    await hub.signIn("cashier");
    await hub.backOffice.control("POST", "/faults", { faults: [{ ...fault, body: { jsonrpc: "2.0", result } }] });
    const atWork = await enter(hub, { login: "waiter" });
    await expectDeviceTaken(hub, { login: "cashier" });
    await expectAtWork(atWork);
  });

  it("the hub stores a device's key only as a digest [TERM-74]", async () => {
    const hub = await startTestHub();
    const { deviceKey = "" } = await enter(hub, { login: "waiter" });
    const bytes = ["", "-wal"].map((suffix) => readFileSync(hub.dbPath + suffix, "latin1")).join("");
    expect(bytes).toContain("till-1");
    expect(bytes).not.toContain(deviceKey);
  });

  it("a device key that cannot be stored is not sent, and locks nobody out [TERM-74]", async () => {
    const hub = await startTestHub();
    const { deviceKey } = await enter(hub, { login: "cashier" });
    await hub.restart(() =>
      editDataFile(
        hub,
        "CREATE TRIGGER full_disk BEFORE INSERT ON terminals BEGIN SELECT RAISE(ABORT, 'no space left'); END",
      ),
    );
    expect((await enter(hub, { login: "cashier" })).deviceKey).toBeUndefined();
    await expectDeviceTaken(hub, { login: "waiter" });
    await enter(hub, { login: "waiter", deviceKey });
    const unknown = await enter(hub, { login: "waiter", deviceId: "new" });
    expect(unknown.deviceKey).toBeUndefined();
    await expectDeviceTaken(hub, { login: "cashier", deviceId: "new" });
    await expectAtWork(unknown);
  });

  it("only one person gets a new device when many sign in on it at once [TERM-75]", async () => {
    const hub = await startTestHub();
    const logins = ["waiter", "cashier", "waiter", "cashier", "waiter", "cashier"];
    await Promise.all(logins.map((login) => hub.signIn(login)));
    const sockets = await Promise.all(logins.map((login) => authenticate(hub, { login })));
    // A connection replaced by a newer one of the same person is closed without an answer.
    await Promise.all(
      sockets.map(({ received, closed }) => Promise.race([closed, until("an answer", () => received.length > 0)])),
    );
    const answers = sockets.flatMap(({ received }) => received.slice(0, 1));
    const inside = answers.flatMap((answer) => (answer.type === "AUTH_OK" ? [answer.user.role] : []));
    expect(new Set(inside).size).toBe(1);
    const refused = answers.flatMap((answer) => (answer.type === "AUTH_FAILED" ? [answer.errorCode] : []));
    expect(refused).toEqual(refused.map(() => "DEVICE_TAKEN"));
  });

  it("the newer connection's key is valid, whichever of two connections was identified first [TERM-75]", async () => {
    const { timers } = world;
    // Commits are slow enough that both connections are decided before the first commit.
    const slowDisk = { ...timers, setImmediate: (work: () => void) => void timers.setTimeout(work, 400) };
    const hub = await startTestHub({ world: { timers: slowDisk } });
    await hub.signIn("cashier");
    const path = "/web/session/get_session_info";
    await hub.backOffice.control("POST", "/faults", { faults: [{ path, times: 1, latencyMs: 200 }] });
    const older = await authenticate(hub, { login: "cashier" });
    await until("the older one's check", async () => {
      const { requests } = await hub.backOffice.control("GET", "/requests");
      return requests.some((request: { path: string }) => request.path === path);
    });
    const newer = await enter(hub, { login: "cashier" });
    expect(await older.closed).toBe(4409);
    expect((await enter(hub, { login: "waiter", deviceKey: newer.deviceKey })).deviceKey).toBeUndefined();
  });

  it("a device's key is replaced for the same person when the answer with it was lost [TERM-75]", async () => {
    const hub = await startTestHub();
    const lost = await authenticate(hub, { login: "cashier" });
    await until("the device to be known", async () => (await hub.send("GET", "/health")).body.connectedTerminals === 1);
    lost.socket.terminate();
    const again = await enter(hub, { login: "cashier" });
    expect(again.deviceKey).toMatch(/^[\w-]{43}$/);
    await enter(hub, { login: "waiter", deviceKey: again.deviceKey });
  });
});
