import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../test/support/until.ts";
import { realWorld } from "../../platform/world.ts";
import { createRequestLanes } from "./request-lanes.ts";
import { createPortServer, type PortLimits, type PortServer } from "./port-server.ts";

type OnUpgrade = Parameters<typeof createPortServer>[0]["onUpgrade"];
const limits = { writeStallMs: 200, refusedMs: 50, finishMs: 50 };
const world = realWorld(pino({ level: "silent" }));

async function serve(
  onRequest: RequestListener,
  more: { limits?: Partial<PortLimits>; isProxy?: (address: string) => boolean; onUpgrade?: OnUpgrade } = {},
): Promise<{ server: PortServer; port: number }> {
  const server = createPortServer({
    world,
    onRequest,
    lanes: createRequestLanes(world, ({ socket }) => socket.remoteAddress ?? ""),
    onUpgrade: more.onUpgrade ?? (() => "403 Forbidden"),
    isProxy: more.isProxy ?? (() => false),
    limits: { ...limits, ...more.limits },
  });
  const port = await server.listen(0, "127.0.0.1");
  onTestFinished(server.close);
  return { server, port };
}

/** A peer that keeps its side open even after the server has closed. */
async function stubbornPeer(port: number, request: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(request);
  return socket;
}

const upgrade = "GET / HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

describe("the port server", () => {
  it("a refused upgrade is answered and then closed, even if the peer keeps its side open [HUB-34]", async () => {
    const { server, port } = await serve((_, response) => response.end());
    const peer = await stubbornPeer(port, upgrade);
    expect(await text(peer)).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    await until("the socket to be gone", () => server.sockets() === 0);
  });

  it("the port closes despite idle peers, waiting peers and peers that keep the connection [HUB-34]", async () => {
    const { server, port } = await serve(() => {});
    await stubbornPeer(port, upgrade);
    await stubbornPeer(port, "GET / HTTP/1.1\r\nHost: hub\r\n\r\n");
    await stubbornPeer(port, "GET / HT");
    await until("all to be there", () => server.sockets() >= 2);
    await server.close();
    await until("all to be gone", () => server.sockets() === 0);
  });

  it("a response that is not being read is cut off [HUB-35]", async () => {
    const { server, port } = await serve((_, response) => response.end(Buffer.alloc(64 * 1024 * 1024)));
    const peer = await stubbornPeer(port, "GET / HTTP/1.1\r\nHost: hub\r\n\r\n");
    peer.pause();
    await until("the socket to be gone", () => server.sockets() === 0);
  });

  it("a slow response and one that is read slowly are not cut off [HUB-35]", async () => {
    const size = 16 * 1024 * 1024;
    // On a busy machine the reader itself may pause for most of a second.
    const writeStallMs = 1_000;
    const { port } = await serve(
      (_, response) => world.timers.setTimeout(() => response.end(Buffer.alloc(size)), 2 * writeStallMs),
      { limits: { writeStallMs } },
    );
    const peer = await stubbornPeer(port, "GET / HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n");
    let bytes = 0;
    peer.on("data", (chunk) => {
      bytes += chunk.length;
      peer.pause();
      world.timers.setTimeout(() => peer.resume(), 1);
    });
    await once(peer, "end");
    expect(bytes).toBeGreaterThan(size);
  });

  it("the number of sockets per address is limited [HUB-37]", async () => {
    const { server, port } = await serve((_, response) => response.end("ok"), { limits: { socketsPerPeer: 3 } });
    const sockets = [];
    for (let count = 0; count < 3; count += 1) sockets.push(await stubbornPeer(port, ""));
    const refused = await stubbornPeer(port, "GET / HTTP/1.1\r\nHost: hub\r\n\r\n");
    refused.resume();
    await Promise.race([once(refused, "end"), once(refused, "close")]);
    expect(server.sockets()).toBe(3);
    sockets[0]?.destroy();
    await until("a place", () => server.sockets() === 2);
    const accepted = await stubbornPeer(port, "GET / HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n");
    expect(await text(accepted)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it("the rate of new sockets per address is limited [HUB-37]", async () => {
    const { server, port } = await serve((_, response) => response.end("ok"), {
      limits: { arrivalsPerPeer: { burst: 3, perSecond: 0.001 } },
    });
    const ask = async () => {
      const peer = await stubbornPeer(port, "GET / HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n");
      return text(peer).catch(() => "");
    };
    for (let count = 0; count < 3; count += 1) expect(await ask()).toContain("200 OK");
    expect(await ask()).toBe("");
    await until("all to be gone", () => server.sockets() === 0);
  });

  it("a trusted proxy, which carries many clients, is not limited [HUB-37]", async () => {
    const { server, port } = await serve((_, response) => response.end("ok"), {
      limits: { socketsPerPeer: 3, arrivalsPerPeer: { burst: 3, perSecond: 0.001 } },
      isProxy: () => true,
    });
    for (let count = 0; count < 5; count += 1) await stubbornPeer(port, "");
    await until("all to be there", () => server.sockets() === 5);
  });

  it("the requests of one socket are handled one at a time and answered in order [HUB-70]", async () => {
    let underWay = 0;
    let maxUnderWay = 0;
    const { port } = await serve((request, response) => {
      underWay += 1;
      maxUnderWay = Math.max(maxUnderWay, underWay);
      setImmediate(() => {
        underWay -= 1;
        response.end(`<${request.url}>`);
      });
    });
    const numbers = Array.from({ length: 300 }, (_, index) => `/${index}`);
    const last = "GET /last HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n";
    const peer = await stubbornPeer(
      port,
      numbers.map((url) => `GET ${url} HTTP/1.1\r\nHost: hub\r\n\r\n`).join("") + last,
    );
    const answers = [...(await text(peer)).matchAll(/<(.*?)>/g)].map(([, url]) => url);
    expect(answers).toEqual([...numbers, "/last"]);
    expect(maxUnderWay).toBe(1);
  });

  it("bodies of any size are read, and so are the requests behind them [HUB-70]", async () => {
    const { port } = await serve((request, response) => {
      text(request).then(
        (body) => response.end(`<${body.length}>`),
        () => response.destroy(),
      );
    });
    const body = "\r\n\r\nGET / HTTP/1.1".repeat(10_000);
    const ask = (headers: string, content: string) => `POST / HTTP/1.1\r\nHost: hub\r\n${headers}\r\n\r\n${content}`;
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const peer = await stubbornPeer(
      port,
      ask(`Content-Length: ${body.length}`, body) +
        ask("Transfer-Encoding: chunked", chunked) +
        ask("Content-Length: 3\r\nConnection: close", "abc"),
    );
    const answers = [...(await text(peer)).matchAll(/<(.*?)>/g)].map(([, length]) => Number(length));
    expect(answers).toEqual([body.length, body.length, 3]);
  });

  it("an upgrade gets the bytes sent behind it, also behind other requests [HUB-70]", async () => {
    const frames = "x".repeat(5_000);
    const { port } = await serve((_, response) => response.end("ok"), {
      onUpgrade(_, socket, head) {
        let received = "";
        socket.unshift(head);
        socket.on("data", (chunk: Buffer) => {
          received += chunk.toString();
          if (received === frames) socket.end("all of it");
        });
        return "taken";
      },
    });
    const peer = await stubbornPeer(port, `GET / HTTP/1.1\r\nHost: hub\r\n\r\n${upgrade}${frames}`);
    expect(await text(peer)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*ok[^]*all of it$/);
  });

  it("peers that read nothing are cut off while all responses together hold too much [HUB-73]", async () => {
    const { server, port } = await serve((_, response) => response.end(Buffer.alloc(16 * 1024 * 1024)), {
      limits: { unreadBytes: 40 * 1024 * 1024, writeStallMs: 60_000 },
    });
    for (let count = 0; count < 8; count += 1) {
      const peer = await stubbornPeer(port, "GET / HTTP/1.1\r\nHost: hub\r\n\r\n");
      peer.pause();
    }
    await until("some to be cut off", async () => {
      const peer = await stubbornPeer(port, "GET / HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n");
      peer.destroy();
      return server.sockets() <= 3;
    });
  });

  it("every response has nosniff, also that to an unreadable request [HUB-75]", async () => {
    const { port } = await serve((_, response) => response.end("ok"));
    const requests = {
      "GET / HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n": 200,
      [upgrade]: 403,
      "NONSENSE\r\n\r\n": 400,
      "GET / HTTP/1.1\r\n\r\n": 400,
      "POST / HTTP/1.1\r\nHost: hub\r\nExpect: magic\r\nContent-Length: 2\r\n\r\n{}": 417,
    };
    for (const [request, status] of Object.entries(requests)) {
      const answer = await text(await stubbornPeer(port, request));
      expect([request, Number(answer.slice(9, 12))]).toEqual([request, status]);
      expect(answer).toMatch(/\r\nX-Content-Type-Options: nosniff\r\n/);
    }
  });

  it("an unreadable request is refused in the form of every error [HUB-77]", async () => {
    const { port } = await serve((_, response) => response.end("ok"));
    const requests = {
      [upgrade]: [403, "FORBIDDEN"],
      "NONSENSE\r\n\r\n": [400, "VALIDATION_ERROR"],
      "UNHEARD /external/v1/orders HTTP/1.1\r\nHost: hub\r\n\r\n": [400, "VALIDATION_ERROR"],
      "GET / HTTP/1.1\r\n\r\n": [400, "VALIDATION_ERROR"],
      "POST / HTTP/1.1\r\nHost: hub\r\nExpect: magic\r\nContent-Length: 2\r\n\r\n{}": [417, "VALIDATION_ERROR"],
      [`GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: hub\r\n\r\n`]: [431, "PAYLOAD_TOO_LARGE"],
      [`GET / HTTP/1.1\r\nHost: hub\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`]: [431, "PAYLOAD_TOO_LARGE"],
    };
    for (const [request, [status, errorCode]] of Object.entries(requests)) {
      const answer = await text(await stubbornPeer(port, request));
      const answered = [Number(answer.slice(9, 12)), /"errorCode":"(\w+)"/.exec(answer)?.[1]];
      expect([request.slice(0, 40), ...answered]).toEqual([request.slice(0, 40), status, errorCode]);
      expect(answer).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/);
      expect(answer).toMatch(/\{"error":"[^"]+","errorCode":"\w+"\}/);
    }
  });

  it("a bad or truncated body is refused after the responses that are under way [HUB-77]", async () => {
    const { port } = await serve((request, response) => {
      request.resume().once("end", () => world.timers.setTimeout(() => response.end("ok"), 20));
    });
    const whole = "POST / HTTP/1.1\r\nHost: hub\r\nContent-Length: 2\r\n\r\n{}";
    const tooShort = whole.slice(0, -1);
    const chunked = "POST / HTTP/1.1\r\nHost: hub\r\nTransfer-Encoding: chunked\r\n\r\n";
    const requests = {
      [`${chunked}zz\r\n`]: ["400"],
      [`${chunked}2\r\n{}\r\nzz\r\n`]: ["400"],
      [tooShort]: ["400"],
      [`${whole}NONSENSE\r\n\r\n`]: ["200", "400"],
      [`${whole}${chunked}zz\r\n`]: ["200", "400"],
    };
    for (const [request, statuses] of Object.entries(requests)) {
      const peer = await stubbornPeer(port, request);
      if (request === tooShort) peer.end();
      const answer = await text(peer);
      const answered = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      expect([request, ...answered]).toEqual([request, ...statuses]);
      expect(answer).toMatch(/\{"error":"[^"]+","errorCode":"VALIDATION_ERROR"\}/);
    }
  });
});
