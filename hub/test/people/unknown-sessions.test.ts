import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { startFaultyLine, type FaultyLine } from "../support/faulty-line.ts";
import { manualClock } from "../support/manual-clock.ts";
import { openSocket, type OpenSocket } from "../support/open-socket.ts";
import { openStream, operatorOf } from "../support/operator.ts";
import { send } from "../support/send.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const sessionInfo = "/web/session/get_session_info";

const stranger = "127.0.0.66";

/** Returns how often the hub checked tokens that start with `start`. */
const checksOf = (line: FaultyLine, start: string): number =>
  line.requests.filter(({ path, headers }) => path === sessionInfo && isAbout(headers, start)).length;
const isAbout = (headers: Readonly<Record<string, string>>, start: string): boolean =>
  headers["cookie"]?.startsWith(`session_id=${start}`) === true;

/** Signs in at the back-office directly. Returns a token unknown to the hub. */
async function freshSession(hub: TestHub, login: string): Promise<string> {
  const params = { db: "demo", login, password: login };
  const body = { jsonrpc: "2.0", method: "call", params };
  const answer = await send(hub.backOffice.url, "POST", "/web/session/authenticate", { body });
  return /session_id=([^;]+)/.exec(String(answer.headers["set-cookie"]))?.[1] ?? "";
}

const ordersOf = (hub: TestHub, token: string, localAddress?: string) =>
  operatorOf(hub)("orders", { token, ...(localAddress !== undefined && { localAddress }) });

/** Connects from an address, sends AUTH and returns the result. */
async function authenticate(hub: TestHub, token: string, localAddress: string, deviceId = "till-9") {
  return signIn(await openSocket(hub.url, { localAddress }), token, deviceId);
}

/** Sends AUTH on a connection and returns the result. */
async function signIn(terminal: OpenSocket, token: string, deviceId: string) {
  const closed = terminal.closed;
  terminal.send({ type: "AUTH", token, deviceId });
  const answer = await until("an answer", () => terminal.received[0]);
  if (answer.type === "AUTH_OK") terminal.socket.close();
  return { answer, code: await closed };
}

describe("unknown sessions", () => {
  it("unknown sessions delay nobody else, however many there are and however slow the back-office is [BO-103, BO-106]", async () => {
    const line = await startFaultyLine();
    const hub = await startTestHub({ line });
    const known = await hub.terminal({ login: "waiter", deviceId: "known" });
    known.close();
    const screens = await operatorOf(hub)("signIn", {
      body: { login: "manager", password: "manager" },
      token: null,
    });
    line.faults(({ path, headers }) =>
      path === sessionInfo && isAbout(headers, "junk") ? { kind: "hang", carriedOut: false } : null,
    );

    // Pending requests are cut off when the hub stops.
    for (let n = 0; n < 60; n += 1) ordersOf(hub, `junk-${n}`, stranger).catch(() => {});
    await until("strangers to hold all that one peer may", () => checksOf(line, "junk") === 8);

    // Meanwhile the back-office has not answered any of the strangers' checks.
    const till = await hub.terminal({ login: "cashier", deviceId: "newcomer" });
    const back = await hub.terminal({ login: "waiter", deviceId: "known" });
    expect([till.hello.offline, back.hello.offline]).toEqual([false, false]);
    expect((await ordersOf(hub, screens.body.token)).status).toBe(200);
    expect((await ordersOf(hub, await freshSession(hub, "manager"))).status).toBe(200);
    const again = { body: { login: "clerk", password: "clerk" }, token: null };
    expect((await operatorOf(hub)("signIn", again)).status).toBe(200);
    const posReference = "AMONG-STRANGERS";
    await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
    await till.change({ type: "ORDER_PAY", posReference, baseVersion: 1, payments: [{ methodId: 1, amount: 100 }] });
    await until("the order to be forwarded", async () => {
      const { orders } = (await hub.backOffice.control("GET", "/orders")) as { orders: { posReference: string }[] };
      return orders.some((order) => order.posReference === posReference);
    });
    expect((await hub.send("GET", "/health")).body).toMatchObject({ status: "ok" });
    expect(checksOf(line, "junk")).toBeLessThanOrEqual(60);
  });

  it("unknown sessions of a peer are checked at most 60 times a minute [BO-106]", async () => {
    const line = await startFaultyLine();
    const hub = await startTestHub({ line });
    line.faults(({ path }) => (path === sessionInfo ? { kind: "late", ms: 20 } : null));
    const statuses = Promise.all(
      Array.from({ length: 500 }, async (_, n) => (await ordersOf(hub, `junk-${n}`, stranger)).status),
    );
    const known = await hub.terminal({ login: "cashier", deviceId: "newcomer" });
    expect(known.hello.offline).toBe(false);
    const counts = Map.groupBy(await statuses, (status) => status);
    expect(new Set(counts.keys())).toEqual(new Set([401, 429]));
    expect(counts.get(401)).toHaveLength(60);
    expect(checksOf(line, "junk")).toBe(60);
  });

  it("100 unknown sessions at once are accepted if they are valid [BO-106]", async () => {
    const hub = await startTestHub();
    const tokens = await Promise.all(Array.from({ length: 100 }, () => freshSession(hub, "waiter")));
    const answers = await Promise.all(tokens.map((token, n) => authenticate(hub, token, stranger, `till-${n}`)));
    expect(answers.filter(({ answer }) => answer.type !== "AUTH_OK")).toEqual([]);
  });

  it("unknown sessions of many peers leave a newcomer at another one its turn [BO-104]", async () => {
    const line = await startFaultyLine();
    const hub = await startTestHub({ line });
    line.faults(({ path }) => (path === sessionInfo ? { kind: "late", ms: 50 } : null));
    const token = await freshSession(hub, "waiter");
    const terminal = await openSocket(hub.url, { localAddress: "127.0.0.1" });
    const flood = Array.from({ length: 240 }, (_, n) => ordersOf(hub, `junk-${n}`, `127.0.1.${1 + (n % 4)}`));
    await until("strangers to be asked about", () => checksOf(line, "junk") >= 8);
    const before = checksOf(line, "junk");
    const newcomer = signIn(terminal, token, "till-9");
    await until("the newcomer to be asked about", () => checksOf(line, token) === 1);
    const turn = line.requests.findIndex(({ headers }) => isAbout(headers, token));
    const ahead = line.requests.slice(0, turn).filter(({ headers }) => isAbout(headers, "junk")).length;
    // Allows one turn of each of the four peers, and the checks sent before the newcomer's AUTH arrived.
    expect(ahead - before).toBeLessThan(60);
    expect((await newcomer).answer).toMatchObject({ type: "AUTH_OK" });
    for (const { status } of await Promise.all(flood)) expect([401, 503]).toContain(status);
  });

  it("an unknown session is checked once, however many present it at the same time [BO-105]", async () => {
    const line = await startFaultyLine();
    const hub = await startTestHub({ line });
    line.faults(({ path }) => (path === sessionInfo ? { kind: "late", ms: 100 } : null));
    const token = await freshSession(hub, "manager");
    const answers = await Promise.all(Array.from({ length: 20 }, () => ordersOf(hub, token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(checksOf(line, token)).toBe(1);
    const refused = await Promise.all(Array.from({ length: 20 }, () => ordersOf(hub, "junk")));
    expect(refused.map(({ status }) => status)).toEqual(Array(20).fill(401));
    expect(checksOf(line, "junk")).toBe(1);
  });

  it("an unknown session is refused without a check for 10 s after the back-office refused it [BO-107]", async () => {
    const clock = manualClock();
    const line = await startFaultyLine();
    const hub = await startTestHub({ line, ownBackOffice: true, world: clock.world });
    for (let i = 0; i < 100; i += 1) expect((await ordersOf(hub, "junk")).status).toBe(401);
    expect((await authenticate(hub, "junk", stranger)).code).toBe(4401);
    clock.advance(9_999);
    expect((await ordersOf(hub, "junk")).status).toBe(401);
    expect(checksOf(line, "junk")).toBe(1);
    clock.advance(1);
    expect((await ordersOf(hub, "junk")).status).toBe(401);
    expect(checksOf(line, "junk")).toBe(2);
  });

  it("valid sessions, and those that could not be checked, do not use up a peer's budget [BO-106]", async () => {
    const line = await startFaultyLine();
    const hub = await startTestHub({ line });
    const tokens = await Promise.all(Array.from({ length: 70 }, () => freshSession(hub, "waiter")));
    for (const token of tokens) expect((await ordersOf(hub, token, stranger)).status).toBe(403);
    await line.down();
    for (let i = 0; i < 70; i += 1) expect((await ordersOf(hub, `junk-${i}`, stranger)).status).toBe(503);
    await line.up();
    expect((await ordersOf(hub, "junk", stranger)).status).toBe(401);
  });

  it("unknown sessions get 429 after 60 of a peer within a minute, and public data stays readable [BO-106, OP-67]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    const call = operatorOf(hub);
    const manager = await freshSession(hub, "manager");
    expect((await ordersOf(hub, manager, stranger)).status).toBe(200);
    for (let i = 0; i < 60; i += 1) expect((await ordersOf(hub, `junk-${i}`, stranger)).status).toBe(401);
    const refused = await ordersOf(hub, "junk-60", stranger);
    expect(refused).toMatchObject({ status: 429, body: { errorCode: "RATE_LIMITED" } });
    const keys = { headers: { Authorization: "Bearer junk-61" }, localAddress: stranger };
    expect((await hub.send("GET", "/external-keys", keys)).status).toBe(429);
    const overview = await call("overview", { token: "junk-62", localAddress: stranger });
    expect(overview.status).toBe(200);
    expect(overview.body).not.toHaveProperty("detail");
    // Sessions known to the hub are still checked, and other peers are not affected.
    clock.advance(11_000);
    expect((await ordersOf(hub, manager, stranger)).status).toBe(200);
    expect((await ordersOf(hub, "junk-63")).status).toBe(401);
    clock.advance(49_001);
    expect((await ordersOf(hub, "junk-64", stranger)).status).toBe(401);
  });

  it("unknown sessions do not interrupt a manager's stream [OP-67]", async () => {
    const clock = manualClock();
    const line = await startFaultyLine();
    const hub = await startTestHub({ line, ownBackOffice: true, world: clock.world });
    const token = await freshSession(hub, "manager");
    const stream = await openStream(hub, { token });
    await stream.next("hello");
    for (let i = 0; i < 61; i += 1) await ordersOf(hub, `junk-${i}`);
    expect((await ordersOf(hub, "junk")).status).toBe(429);
    while (checksOf(line, token) < 2) {
      clock.advance(10_000);
      await stream.next("ping");
    }
    clock.advance(10_000);
    await stream.next("ping");
    expect(stream.received.map(({ type }) => type)).not.toContain("signed_out");
  });

  it("unknown sessions are closed with 4503 after 60 of a peer within a minute [TERM-69]", async () => {
    const hub = await startTestHub();
    const known = await hub.signIn("waiter");
    expect((await authenticate(hub, known, stranger)).answer).toMatchObject({ type: "AUTH_OK" });
    const codes: number[] = [];
    for (let i = 0; i < 60; i += 1) codes.push((await authenticate(hub, `junk-${i}`, stranger)).code);
    expect(codes).toEqual(Array(60).fill(4401));
    const { answer, code } = await authenticate(hub, "junk-60", stranger);
    expect(answer).toMatchObject({ type: "AUTH_FAILED", errorCode: "RATE_LIMITED" });
    expect(code).toBe(4503);
    expect((await authenticate(hub, known, stranger)).answer).toMatchObject({ type: "AUTH_OK", offline: false });
    expect((await authenticate(hub, "junk-61", "127.0.0.67")).code).toBe(4401);
  });

  it("the empty token of HUB_DEV_AUTH takes one check however many present it [BO-105]", async () => {
    const line = await startFaultyLine();
    const hub = await startTestHub({ line, env: { HUB_DEV_AUTH: "true" } });
    await until("the hub to sign in", async () => (await hub.send("GET", "/health")).body.lastErpSync);
    line.faults(({ path }) => (path === sessionInfo ? { kind: "late", ms: 200 } : null));
    const before = line.requests.filter(({ path }) => path === sessionInfo).length;
    const sockets = await Promise.all(Array.from({ length: 10 }, () => openSocket(hub.url)));
    sockets.forEach((socket, n) => socket.send({ type: "AUTH", token: "", deviceId: `till-${n}` }));
    await Promise.all(sockets.map((socket) => socket.first("AUTH_OK")));
    expect(line.requests.filter(({ path }) => path === sessionInfo).length - before).toBe(1);
    await Promise.all(sockets.map(({ socket }) => (socket.close(), once(socket, "close"))));
  });
});
