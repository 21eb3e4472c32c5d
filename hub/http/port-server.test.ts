import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../test/until.ts";
import { realWorld } from "../platform/world.ts";
import { createPortServer, type PortLimits, type PortServer } from "./port-server.ts";

const limits = { writeStallMs: 200, refusedMs: 50, finishMs: 50 };
const world = realWorld(pino({ level: "silent" }));

async function serve(
  onRequest: RequestListener,
  more: { limits?: Partial<PortLimits>; isProxy?: (address: string) => boolean } = {},
): Promise<{ server: PortServer; port: number }> {
  const server = createPortServer({
    world,
    onRequest,
    onUpgrade: () => "403 Forbidden",
    isProxy: more.isProxy ?? (() => false),
    limits: { ...limits, ...more.limits },
  });
  const port = await server.listen(0, "127.0.0.1");
  onTestFinished(server.close);
  return { server, port };
}

/** A peer that keeps its side open whatever the server does. */
async function stubbornPeer(port: number, request: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(request);
  return socket;
}

const upgrade = "GET / HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

describe("the port", () => {
  it("[HUB-34] answers a refused upgrade and then ends it, also where the peer keeps its side open", async () => {
    const { server, port } = await serve((_, response) => response.end());
    const peer = await stubbornPeer(port, upgrade);
    expect(await text(peer)).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    await until("the socket to be gone", () => server.sockets() === 0);
  });

  it("[HUB-34] closes even with idle peers, waiting peers and peers that keep the connection", async () => {
    const { server, port } = await serve(() => {});
    await stubbornPeer(port, upgrade);
    await stubbornPeer(port, "GET / HTTP/1.1\r\nHost: hub\r\n\r\n");
    await stubbornPeer(port, "GET / HT");
    await until("all to be there", () => server.sockets() >= 2);
    await server.close();
    await until("all to be gone", () => server.sockets() === 0);
  });

  it("[HUB-35] ends an answer that is not being read", async () => {
    const { server, port } = await serve((_, response) => response.end(Buffer.alloc(64 * 1024 * 1024)));
    const peer = await stubbornPeer(port, "GET / HTTP/1.1\r\nHost: hub\r\n\r\n");
    peer.pause();
    await until("the socket to be gone", () => server.sockets() === 0);
  });

  it("[HUB-35] keeps an answer that is slow to come, and one that is read slowly", async () => {
    const size = 16 * 1024 * 1024;
    const { port } = await serve((_, response) => {
      world.timers.setTimeout(() => response.end(Buffer.alloc(size)), 3 * limits.writeStallMs);
    });
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

  it("[HUB-37] limits the sockets of one address", async () => {
    const { server, port } = await serve((_, response) => response.end("ok"), { limits: { socketsPerPeer: 3 } });
    const kept = [];
    for (let count = 0; count < 3; count += 1) kept.push(await stubbornPeer(port, ""));
    const refused = await stubbornPeer(port, "GET / HTTP/1.1\r\nHost: hub\r\n\r\n");
    refused.resume();
    await Promise.race([once(refused, "end"), once(refused, "close")]);
    expect(server.sockets()).toBe(3);
    kept[0]?.destroy();
    await until("a place", () => server.sockets() === 2);
    const taken = await stubbornPeer(port, "GET / HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n");
    expect(await text(taken)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it("[HUB-37] limits the rate of new sockets of one address", async () => {
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

  it("[HUB-37] does not limit a trusted proxy, which carries many clients", async () => {
    const { server, port } = await serve((_, response) => response.end("ok"), {
      limits: { socketsPerPeer: 3, arrivalsPerPeer: { burst: 3, perSecond: 0.001 } },
      isProxy: () => true,
    });
    for (let count = 0; count < 5; count += 1) await stubbornPeer(port, "");
    await until("all to be there", () => server.sockets() === 5);
  });
});
