import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStream, type TestStream } from "../support/operator.ts";
import { openSocket } from "../support/open-socket.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

/** Opens a connection whose side stays open even after the hub closes its own. */
async function halfOpenPeer(hub: TestHub, request: string | Buffer, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port: hub.port, host: "127.0.0.1", localAddress, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(request);
  return socket;
}

const upgradeTo = (path: string, headers = "") =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${headers}\r\n`;

/** Builds the header of a masked text frame with this payload length. */
function frameHead(bytes: number): Buffer {
  const head = Buffer.alloc(14);
  head.writeUInt8(0x81, 0);
  head.writeUInt8(0x80 | 127, 1);
  head.writeBigUInt64BE(BigInt(bytes), 2);
  return head;
}

/** Opens a WebSocket by hand, to send what a library would not. Returns after the handshake. */
async function rawSocket(hub: TestHub): Promise<Socket> {
  const socket = await halfOpenPeer(hub, upgradeTo("/"));
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString("latin1")).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}

/** Reads a raw socket to its end and returns the WebSocket close code. */
async function closeCodeOf(socket: Socket): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const frames = Buffer.concat(chunks);
  const at = frames.indexOf(0x88);
  return frames.readUInt16BE(at + 2);
}

describe("sockets", () => {
  it("a refused upgrade is ended, and the hub stops whatever peers do [HUB-34]", async () => {
    const hub = await startTestHub();
    const refused = [
      await halfOpenPeer(hub, upgradeTo("/", "Origin: http://evil.example\r\n")),
      await halfOpenPeer(hub, upgradeTo("/nowhere")),
    ];
    expect((await Promise.all(refused.map((peer) => text(peer)))).map((answer) => answer.slice(0, 12))).toEqual([
      "HTTP/1.1 403",
      "HTTP/1.1 404",
    ]);
    await halfOpenPeer(hub, upgradeTo("/", "Origin: http://evil.example\r\n"));
    await rawSocket(hub);
    await halfOpenPeer(hub, "POST /operator/v1/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n");
    await hub.stop();
  });

  it.each(["GET", "POST"])("a %s that offers h2c is answered like any other [HUB-36]", async (method) => {
    const hub = await startTestHub();
    const headers = { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABkAAQAAP__" };
    const path = method === "GET" ? "/health" : "/external/v1/orders";
    const body = { tableId: 1 };
    const plain = await hub.send(method, path, method === "POST" ? { body } : {});
    const offered = await hub.send(method, path, { headers, ...(method === "POST" && { body }) });
    expect(offered.status).toBe(plain.status);
    expect(Object.keys(offered.body)).toEqual(Object.keys(plain.body));
  });
});

describe("requests", () => {
  const ask = (path: string, host = "Host: 127.0.0.1") => `GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`;

  it("a stranger's pipelined requests do not delay a manager at the same address [HUB-70, HUB-71, HUB-72]", async () => {
    const hub = await startTestHub();
    const headers = { Authorization: `Bearer ${await hub.signIn("manager")}` };
    const overview = () => hub.send("GET", "/operator/v1/overview", { headers });
    // An accepted session does not use the budget of its address.
    expect((await overview()).status).toBe(200);
    const requests = 6_000;
    const peer = await halfOpenPeer(hub, ask("/health").repeat(requests));
    let answered = 0;
    peer.on("data", (chunk: Buffer) => (answered += chunk.toString("latin1").split("HTTP/1.1 200").length - 1));
    await until("the stranger to have used up its burst", () => answered >= 1_000);
    for (let count = 0; count < 100; count += 1) expect((await overview()).status).toBe(200);
    expect(answered).toBeLessThan(requests);
    await hub.stop();
  });

  it("a request with two hosts is refused [HUB-74]", async () => {
    const hub = await startTestHub();
    const two = "Host: 127.0.0.1\r\nhost: evil.example\r\nConnection: close";
    for (const path of ["/health", "/operator/v1/overview", "/external/v1/orders", "/nowhere"]) {
      const answer = await text(await halfOpenPeer(hub, ask(path, two)));
      expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*"errorCode":"VALIDATION_ERROR"/);
    }
    const answer = await text(await halfOpenPeer(hub, upgradeTo("/", "Host: evil.example\r\n")));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("every answer has nosniff [HUB-75]", async () => {
    const hub = await startTestHub();
    const paths = ["/", "/terminal/", "/health", "/pair", "/external/openapi.json", "/external/v1/orders"];
    for (const path of [...paths, "/operator/v1/overview", "/operator/v1/orders", "/terminal/v1/menu", "/nowhere"]) {
      const { headers } = await fetch(hub.url + path);
      expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
    }
    const noKey = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    expect(await text(await halfOpenPeer(hub, noKey))).toMatch(
      /^HTTP\/1\.1 400 [^]*\r\nX-Content-Type-Options: nosniff\r\n/,
    );
  });
});

describe("bodies", () => {
  it("bodies of callers who have not signed in are limited to 4 KiB [OP-64]", async () => {
    const hub = await startTestHub();
    const signIn = async (padding: number) => {
      const body = JSON.stringify({ login: "manager", password: "manager" }) + " ".repeat(padding);
      return hub.send("POST", "/operator/v1/sign-in", { body });
    };
    expect(await signIn(4_096)).toMatchObject({ status: 413, body: { errorCode: "PAYLOAD_TOO_LARGE" } });
    expect((await signIn(2_048)).status).toBe(200);
  });
});

describe("connections that have not signed in", () => {
  it("a connection that has not signed in may send 8 KiB in one frame [TERM-64]", async () => {
    const hub = await startTestHub();
    const whole = await openSocket(hub.url);
    whole.send({ type: "AUTH", token: await hub.signIn("waiter"), deviceId: "till-1", padding: "x".repeat(8_192) });
    expect(await whole.closed).toBe(1009);
    const unfinished = await rawSocket(hub);
    unfinished.write(Buffer.concat([frameHead(1_048_576), Buffer.alloc(9_000)]));
    expect(await closeCodeOf(unfinished)).toBe(1009);
  });

  it("a connection may send 64 KiB while the back-office identifies it [TERM-17]", async () => {
    const hub = await startTestHub();
    const token = await hub.signIn("waiter");
    const path = "/web/session/get_session_info";
    await hub.backOffice.control("POST", "/faults", { faults: [{ path, times: 1, action: "hang-before" }] });
    const terminal = await openSocket(hub.url);
    terminal.send({ type: "AUTH", token, deviceId: "till-1" });
    for (let count = 0; count < 9; count += 1) terminal.send({ type: "PRESENCE", padding: "x".repeat(8_000) });
    expect(await terminal.closed).toBe(1008);
    await hub.backOffice.control("DELETE", "/faults");
  });

  it("too many connections that have not signed in end the one that was silent for longest [TERM-65]", async () => {
    const hub = await startTestHub();
    const sockets = [];
    for (let count = 0; count < 256; count += 1) sockets.push(await openSocket(hub.url));
    const [oldest] = sockets;
    if (oldest === undefined) throw new Error("nobody came");
    expect(oldest.socket.readyState).toBe(oldest.socket.OPEN);
    const till = await hub.terminal({ deviceId: "till-1" });
    expect(await oldest.closed).toBe(1013);
    expect(oldest.received).toMatchObject([{ type: "AUTH_FAILED", errorCode: "RATE_LIMITED" }]);
    expect(till.socket.readyState).toBe(till.socket.OPEN);
    // A signed-in terminal does not use up a place for strangers.
    await openSocket(hub.url);
    expect(sockets.filter(({ socket }) => socket.readyState === socket.OPEN)).toHaveLength(255);
  });
});

describe("proxies", () => {
  const env = { HUB_EXTERNAL_RATE_MAX: "1" };
  const statusFor = async (hub: TestHub, forwardedFor: string, localAddress?: string) => {
    const headers = { "X-Forwarded-For": forwardedFor };
    return (await hub.send("GET", "/external/v1/orders", { headers, ...(localAddress && { localAddress }) })).status;
  };

  it("a proxy's forwarded addresses are ignored unless HUB_TRUST_PROXY names it [HUB-33]", async () => {
    const hub = await startTestHub({ env });
    expect(await statusFor(hub, "10.0.0.1")).toBe(401);
    expect(await statusFor(hub, "10.0.0.2")).toBe(429);
  });

  it("a proxy's forwarded addresses are trusted when HUB_TRUST_PROXY names it [HUB-33]", async () => {
    const hub = await startTestHub({ env: { ...env, HUB_TRUST_PROXY: "127.0.0.1, 10.9.0.0/16" } });
    expect(await statusFor(hub, "10.0.0.1")).toBe(401);
    expect(await statusFor(hub, "10.0.0.1")).toBe(429);
    expect(await statusFor(hub, "10.0.0.2")).toBe(401);
    // Proxies append; addresses before theirs are the client's own claim.
    expect(await statusFor(hub, "10.0.0.3, 10.0.0.2, 10.9.1.1")).toBe(429);
    // The header of a machine that is not the proxy is ignored.
    expect(await statusFor(hub, "10.0.0.4", "127.0.0.2")).toBe(401);
    expect(await statusFor(hub, "10.0.0.5", "127.0.0.2")).toBe(429);
  });

  it("managers see the forwarded addresses of terminals [HUB-33]", async () => {
    const hub = await startTestHub({ env: { HUB_TRUST_PROXY: "127.0.0.1" } });
    const terminal = await openSocket(hub.url, { headers: { "X-Forwarded-For": "10.0.0.7" } });
    terminal.send({ type: "AUTH", token: await hub.signIn("waiter"), deviceId: "till-1" });
    await terminal.first("AUTH_OK");
    const headers = { Authorization: `Bearer ${await hub.signIn("manager")}` };
    const { body } = await hub.send("GET", "/operator/v1/terminals", { headers });
    expect(body.terminals).toMatchObject([{ terminalId: "till-1", address: "10.0.0.7" }]);
  });
});

describe("live stream", () => {
  it("the live stream has a place for managers however many visitors it has, and refuses others with 429 [OP-63]", async () => {
    const hub = await startTestHub();
    const look = (localAddress: string) => openStream(hub, { token: null, localAddress });
    const visitors: TestStream[] = [];
    for (const peer of [2, 3, 4, 5, 6]) {
      for (let count = 0; count < 20; count += 1) visitors.push(await look(`127.0.0.${peer}`));
      expect((await look(`127.0.0.${peer}`)).status).toBe(429);
    }
    expect(visitors.filter(({ status }) => status === 200)).toHaveLength(100);
    const refusal = await hub.send("GET", "/operator/v1/stream", { localAddress: "127.0.0.7" });
    expect(refusal).toMatchObject({ status: 429, body: { errorCode: "RATE_LIMITED" } });
    const token = await hub.signIn("manager");
    for (let count = 0; count < 10; count += 1) expect((await openStream(hub, { token })).status).toBe(200);
    expect((await openStream(hub, { token })).status).toBe(429);
    const signedIn = await hub.send("POST", "/operator/v1/sign-in", {
      body: { login: "manager", password: "manager" },
    });
    expect((await openStream(hub, { token: signedIn.body.token })).status).toBe(200);
    visitors[0]?.close();
    await until("a place", async () => (await look("127.0.0.7")).status === 200);
  });
});
