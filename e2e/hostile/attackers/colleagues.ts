import { once } from "node:events";
import { request } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { WebSocket } from "ws";
import { call, flood, type Flood, type Target, terminal } from "./floods.ts";

/** Attacks by a waiter and by an integration with the access that they have. */
export const colleagues: readonly Flood[] = [
  { name: "200 devices of one waiter", peer: "127.0.0.51", run: crowd },
  { name: "a PIN guessed over devices and addresses", peer: "127.0.0.52", run: guessPins },
  { name: "receivers of webhooks that never answer", peer: "127.0.0.53", run: deadReceivers },
];

/** Connects 200 devices of one waiter, each within the budget of one session. */
async function crowd(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  // One user may have 120 terminals at a time: the devices that guess PINs must be among the first.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const devices = Array.from({ length: 200 }, (_, n) =>
    terminal(
      target,
      { peer, deviceId: `crowd-${n}` },
      signal,
      (socket, send) =>
        flood(4, socket, signal, () => send({ type: "PRESENCE", tableId: 1 + Math.floor(Math.random() * 18) })),
      // A refused terminal retries after this time (ms), the longest interval of a real one.
      15_000,
    ),
  );
  await Promise.all(devices);
}

/** Guesses PINs from four addresses, with new devices all the time. */
async function guessPins(target: Target, _: string, signal: AbortSignal): Promise<void> {
  const keys: string[] = [];
  for (let guesses = 0; !signal.aborted; guesses += 1) {
    const peer = `127.0.0.${54 + (guesses % 4)}`;
    const fresh = guesses % 10 === 0 ? await deviceKeyOf(target, peer, `guess-${guesses}`) : null;
    if (fresh !== null) keys.push(fresh);
    if (keys.length === 0) throw new Error("no device was let in: nothing can be guessed");
    for (let guess = 0; guess < 4; guess += 1) {
      const pin = String(Math.floor(Math.random() * 1_000_000)).padStart(6, "0");
      const body = JSON.stringify({ deviceKey: keys[guess % keys.length], userId: target.managerId, pin });
      call(target, peer, "POST", "/terminal/v1/pin", { Authorization: `Bearer ${target.waiterToken}` }, body);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Returns the key that a device gets at its first sign-in, or null if it gets none. */
async function deviceKeyOf(target: Target, peer: string, deviceId: string): Promise<string | null> {
  const socket = new WebSocket(target.url.replace("http", "ws"), { localAddress: peer });
  socket.on("error", () => {});
  socket.once("open", () => socket.send(JSON.stringify({ type: "AUTH", token: target.waiterToken, deviceId })));
  const [data] = (await Promise.race([once(socket, "message"), once(socket, "close")]).catch(() => [])) as [Buffer?];
  socket.terminate();
  const answer = Buffer.isBuffer(data) ? (JSON.parse(data.toString()) as { deviceKey?: string }) : {};
  return answer.deviceKey ?? null;
}

/** Subscribes 20 webhooks to every event, on a server that accepts everything and never responds. */
async function deadReceivers(target: Target, _: string, signal: AbortSignal): Promise<void> {
  const silent = createServer((socket) => socket.on("error", () => {}).resume());
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const headers = { "X-API-Key": target.receiversKey, "Content-Type": "application/json" };
  for (let n = 0; n < 20; n += 1) {
    const outgoing = request(new URL("/external/v1/webhooks", target.url), { method: "POST", headers, agent: false });
    outgoing.on("error", () => {});
    outgoing.end(JSON.stringify({ url: `http://127.0.0.1:${port}/hook-${n}` }));
    const [response] = (await once(outgoing, "response")) as [{ resume(): void; statusCode: number }];
    response.resume();
    if (response.statusCode !== 201) throw new Error(`a webhook was refused with ${response.statusCode}`);
  }
  await once(signal, "abort");
  silent.close();
}
