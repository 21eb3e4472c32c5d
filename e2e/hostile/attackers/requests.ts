import { connect, type Socket } from "node:net";
import type { Flood, Target } from "./floods.ts";

/** Outsiders who send HTTP requests as fast as their sockets accept them, each kind from its own address. */
export const requestFloods: readonly Flood[] = [
  { name: "pipelined requests", peer: "127.0.0.41", run: pipelined },
  { name: "requests on many sockets", peer: "127.0.0.42", run: manySockets },
  { name: "pipelined files that nobody reads", peer: "127.0.0.43", run: unreadFiles },
];

/** Requests a second that one pipelining socket tries to send. */
const PIPELINED_PER_SECOND = 12_000;
const paths = ["/health", "/operator/v1/overview", "/terminal/", "/", "/operator/v1/sign-in"];

async function pipelined(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  const block = paths.map(get).join("").repeat(24);
  const pauseMs = (1_000 * paths.length * 24) / PIPELINED_PER_SECOND;
  await hold(5, { target, peer, signal }, (socket) => {
    socket.resume();
    const send = (): void => {
      if (socket.destroyed) return;
      // Sends at a fixed pace, and only if the hub keeps up: requests queued here would not burden the hub.
      if (socket.writableLength < 1_000_000) socket.write(block);
      setTimeout(send, pauseMs);
    };
    send();
  });
}

async function manySockets(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  await hold(200, { target, peer, signal }, (socket) => {
    let requestCount = 0;
    const send = (): void => void socket.write(get(paths[(requestCount += 1) % paths.length] ?? "/"));
    socket.on("data", send);
    send();
  });
}

async function unreadFiles(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  await hold(100, { target, peer, signal }, (socket) => {
    socket.pause();
    socket.write(get(target.largestFile).repeat(50));
  });
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

/** Keeps `count` sockets open until the signal and calls `work` with each; replaces closed ones, 20 a second. */
async function hold(
  count: number,
  { target, peer, signal }: { target: Target; peer: string; signal: AbortSignal },
  work: (socket: Socket) => void,
): Promise<void> {
  const sockets = new Set<Socket>();
  while (!signal.aborted) {
    if (sockets.size < count) {
      const socket = connect({ port: Number(new URL(target.url).port), host: "127.0.0.1", localAddress: peer });
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => sockets.delete(socket));
      socket.once("connect", () => work(socket));
    }
    await new Promise((resolve) => setTimeout(resolve, sockets.size < count ? 5 : 50));
  }
  for (const socket of sockets) socket.destroy();
}
