import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { randomUUID } from "node:crypto";
import { WebSocket } from "ws";

/** What the attackers know about their target. */
export interface Target {
  /** The hub's URL, `http://127.0.0.1:port`. */
  url: string;
  /** A waiter's back-office session, for insiders. */
  waiterToken: string;
  /** A key that may manage webhooks and write orders; `receiversKey` is a second one. */
  apiKey: string;
  receiversKey: string;
  /** The user whose PIN is worth guessing. */
  managerId: number;
  /** Device ids of the honest terminals. */
  honestDevices: readonly string[];
  /** Path of the screens' largest file. */
  largestFile: string;
}

export interface Flood {
  name: string;
  /** Loopback address of the attacker. */
  peer: string;
  /** Runs until `signal` aborts. */
  run(target: Target, peer: string, signal: AbortSignal): Promise<void>;
}

/** Attackers without a sign-in, each from its own address (.2x). */
export const outsiders: readonly Flood[] = [
  { name: "refused upgrades that stay open", peer: "127.0.0.21", run: refusedUpgrades },
  { name: "made-up Bearer tokens", peer: "127.0.0.22", run: madeUpBearers },
  { name: "made-up AUTH tokens", peer: "127.0.0.23", run: madeUpAuths },
  { name: "tokens that break a header", peer: "127.0.0.24", run: brokenTokens },
  { name: "anonymous streams", peer: "127.0.0.25", run: anonymousStreams },
  { name: "frames that never end", peer: "127.0.0.26", run: unfinishedFrames },
  { name: "readers that do not read", peer: "127.0.0.27", run: slowReaders },
  { name: "reads under a rebound name", peer: "127.0.0.28", run: reboundReads },
  { name: "calls without a key", peer: "127.0.0.29", run: keylessCalls },
];

/** Attackers with a sign-in or a key (.3x). */
export const insiders: readonly Flood[] = [
  { name: "leases without end", peer: "127.0.0.31", run: leases },
  { name: "impossible numbers and texts", peer: "127.0.0.32", run: impossibleOrders },
  { name: "a device name that is another's", peer: "127.0.0.33", run: impersonatedDevices },
  { name: "presence and resync", peer: "127.0.0.34", run: presence },
  { name: "webhook subscriptions", peer: "127.0.0.35", run: subscriptions },
  { name: "orders as large as they may be", peer: "127.0.0.36", run: largestOrders },
];

/** Calls `work` at a rate, without waiting for it. */
async function pace(perSecond: number, signal: AbortSignal, work: () => void): Promise<void> {
  const startedAt = performance.now();
  let done = 0;
  while (!signal.aborted) {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond;
    for (; done < due; done += 1) work();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Opens `count` connections within two seconds, then replaces closed ones, 20 a second. */
async function keepConnections(count: number, signal: AbortSignal, open: () => Socket | WebSocket): Promise<void> {
  const sockets = new Set<Socket | WebSocket>();
  const openOne = (): void => {
    if (sockets.size >= count) return;
    const socket = open();
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  };
  await pace(count / 2, AbortSignal.any([signal, AbortSignal.timeout(2_000)]), openOne);
  await pace(20, signal, openOne);
  for (const socket of sockets) {
    if (socket instanceof WebSocket) socket.terminate();
    else socket.destroy();
  }
}

function rawSocket(target: Target, peer: string, text: string | Buffer): Socket {
  const socket = connect({
    port: Number(new URL(target.url).port),
    host: "127.0.0.1",
    localAddress: peer,
    allowHalfOpen: true,
  });
  socket.on("connect", () => socket.write(text));
  return socket;
}

function webSocket(target: Target, peer: string): WebSocket {
  const socket = new WebSocket(target.url.replace("http", "ws"), { localAddress: peer });
  socket.on("error", () => {});
  return socket;
}

/** Connects a terminal with a valid sign-in, identified by its address or its own name, and runs `work` on every connection. */
export async function terminal(
  target: Target,
  from: string | { peer: string; deviceId: string },
  signal: AbortSignal,
  work: (socket: WebSocket, send: (message: object) => void) => Promise<void>,
  reconnectAfterMs = 200,
): Promise<void> {
  const { peer, deviceId } =
    typeof from === "string" ? { peer: from, deviceId: `insider-${from.replaceAll(".", "-")}` } : from;
  while (!signal.aborted) {
    const socket = webSocket(target, peer);
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    const send = (message: object): void => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    };
    const cut = (): void => socket.terminate();
    signal.addEventListener("abort", cut);
    socket.once("open", () => {
      send({ type: "AUTH", token: target.waiterToken, deviceId });
      void work(socket, send);
    });
    await closed;
    signal.removeEventListener("abort", cut);
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, reconnectAfterMs));
  }
}

/** Calls `work` at a rate while the socket is open. */
export function flood(perSecond: number, socket: WebSocket, signal: AbortSignal, work: () => void): Promise<void> {
  const { signal: closed, abort } = toSignal();
  socket.once("close", abort);
  return pace(perSecond, AbortSignal.any([signal, closed]), work);
}

function toSignal(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

export function call(
  target: Target,
  peer: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body = "",
): void {
  const outgoing = request(new URL(path, target.url), {
    method,
    headers: { ...headers, ...(body !== "" && { "Content-Type": "application/json" }) },
    localAddress: peer,
    agent: false,
    timeout: 10_000,
  });
  outgoing.on("response", (response) => response.resume());
  outgoing.on("error", () => {});
  outgoing.on("timeout", () => outgoing.destroy());
  outgoing.end(body);
}

const upgrade = (origin: string): string =>
  `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
  `Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${origin}\r\n`;

async function refusedUpgrades(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  await keepConnections(400, signal, () => rawSocket(target, peer, upgrade("Origin: http://evil.example\r\n")));
}

async function madeUpBearers(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  await pace(250, signal, () => {
    call(target, peer, "GET", "/operator/v1/orders", { Authorization: `Bearer ${randomUUID()}` });
  });
}

async function madeUpAuths(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  await pace(50, signal, () => auth(target, peer, randomUUID(), "outsider"));
}

async function brokenTokens(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  const tokens = ["x\r\ny", "token; x=1", "\u0000", "x".repeat(5_000)];
  await pace(8, signal, () => auth(target, peer, tokens[Math.floor(Math.random() * tokens.length)] ?? "", "outsider"));
}

function auth(target: Target, peer: string, token: string, deviceId: string): void {
  const socket = webSocket(target, peer);
  socket.once("open", () => socket.send(JSON.stringify({ type: "AUTH", token, deviceId })));
}

async function anonymousStreams(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  await keepConnections(200, signal, () =>
    rawSocket(target, peer, "GET /operator/v1/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
  );
}

async function unfinishedFrames(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  const head = Buffer.alloc(14);
  head.writeUInt8(0x81, 0);
  head.writeUInt8(0x80 | 127, 1);
  head.writeBigUInt64BE(1_048_576n, 2);
  const frame = Buffer.concat([head, Buffer.alloc(1_000_000)]);
  await keepConnections(400, signal, () => {
    const socket = rawSocket(target, peer, upgrade(""));
    void once(socket, "data").then(
      () => socket.write(frame),
      () => {},
    );
    return socket;
  });
}

async function slowReaders(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  await keepConnections(1_000, signal, () => {
    const socket = rawSocket(target, peer, `GET ${target.largestFile} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    socket.pause();
    return socket;
  });
}

async function reboundReads(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  await pace(50, signal, () => call(target, peer, "GET", "/operator/v1/overview", { Host: "evil.example" }));
}

async function keylessCalls(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  await pace(100, signal, () => call(target, peer, "GET", "/external/v1/orders", {}));
}

async function leases(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  await terminal(target, peer, signal, (socket, send) =>
    flood(100, socket, signal, () => {
      send({ type: "LEASE_ACQUIRE", posReference: `GRAB/${randomUUID()}` });
      if (Math.random() < 0.1) send({ type: "HEARTBEAT" });
    }),
  );
}

async function impossibleOrders(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  await terminal(target, peer, signal, (socket, send) =>
    flood(30, socket, signal, () => {
      const roll = Math.random();
      const line = { id: "1", productId: "1", quantity: 1, unitPrice: 100, total: 100, taxIds: [], taxAmount: 0 };
      const lines = [
        roll < 0.5
          ? { ...line, quantity: 1e300, total: null }
          : { ...line, notes: "\u001b[2J\u0007", unitPrice: -1e12 },
      ];
      const snapshot = {
        orderType: "takeout",
        lines,
        totals: { subtotal: 100, tax: 0, total: roll < 0.2 ? 1e308 : 100 },
      };
      const order = { posReference: `ODD/${randomUUID()}`, baseVersion: 0, snapshot };
      send({ type: "ORDER_UPSERT", mutationId: randomUUID(), ...order });
    }),
  );
}

async function largestOrders(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  const line = { productId: "101", quantity: 1, unitPrice: 100, total: 100, note: "n".repeat(480) };
  const lines = Array.from({ length: 420 }, (_, n) => ({ id: `l${n}`, ...line }));
  const snapshot = { orderType: "takeout", lines, totals: { subtotal: 42_000, tax: 0, total: 42_000 } };
  await terminal(target, peer, signal, (socket, send) =>
    flood(20, socket, signal, () => {
      const order = { posReference: `LARGE/${randomUUID()}`, baseVersion: 0, snapshot };
      send({ type: "ORDER_UPSERT", mutationId: randomUUID(), ...order });
    }),
  );
}

async function impersonatedDevices(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  let next = 0;
  await pace(4, signal, () => {
    const device = target.honestDevices[(next += 1) % target.honestDevices.length] ?? "";
    auth(target, peer, target.waiterToken, device);
  });
}

async function presence(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  await terminal(target, peer, signal, (socket, send) =>
    flood(500, socket, signal, () => {
      send({ type: "PRESENCE", tableId: 1 });
      if (Math.random() < 0.05) send({ type: "RESYNC", since: { hubId: "x", epoch: "y", seq: 0 } });
      if (Math.random() < 0.05) send({ type: "NO_SUCH_TYPE" });
    }),
  );
}

async function subscriptions(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  const headers = { "X-API-Key": target.apiKey };
  const body = JSON.stringify({ url: "http://127.0.0.1:9/hook", events: ["order.deleted"] });
  await pace(5, signal, () => call(target, peer, "POST", "/external/v1/webhooks", headers, body));
}
