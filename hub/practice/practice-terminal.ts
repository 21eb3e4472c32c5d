import { once } from "node:events";
import type { HubMessage } from "@comanda/protocol";
import { WebSocket } from "ws";
import type { World } from "../platform/world.ts";

/** Connects an automatic terminal to the practice hub; `onMessage` gets the hub's messages. */
export async function connectPracticeTerminal(
  world: World,
  { port, token, deviceId }: { port: number; token: string; deviceId: string },
  onMessage: (message: HubMessage) => void = () => {},
) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  const waiting = new Map<string, { resolve(): void; reject(error: Error): void }>();
  const signedIn = Promise.withResolvers<void>();
  let beating: NodeJS.Timeout | undefined;

  /** Sends heartbeats: the hub closes silent terminals, and in a practice minutes may pass without an order. */
  function beatAfter(heartbeatMs: number): void {
    beating = world.timers.setTimeout(() => {
      socket.send(JSON.stringify({ type: "HEARTBEAT" }));
      beatAfter(heartbeatMs);
    }, heartbeatMs);
  }

  socket.on("message", (data: Buffer) => {
    for (const message of [JSON.parse(data.toString("utf8")) as HubMessage | HubMessage[]].flat()) {
      if (message.type === "AUTH_OK") {
        beatAfter(message.heartbeatMs);
        signedIn.resolve();
      }
      if (message.type === "AUTH_FAILED") signedIn.reject(new Error(message.error));
      if (message.type === "ORDER_ACK") waiting.get(message.mutationId)?.resolve();
      if (message.type === "ORDER_REJECTED") waiting.get(message.mutationId)?.reject(new Error(message.error));
      if ("mutationId" in message && message.mutationId !== undefined) waiting.delete(message.mutationId);
      onMessage(message);
    }
  });
  // A failed connection also emits `close`.
  socket.on("error", () => {});
  socket.on("close", () => {
    world.timers.clearTimeout(beating);
    const disconnected = new Error("the practice terminal lost its hub");
    signedIn.reject(disconnected);
    for (const { reject } of waiting.values()) reject(disconnected);
  });
  await Promise.race([once(socket, "open"), signedIn.promise]);
  socket.send(JSON.stringify({ type: "AUTH", token, deviceId, protocolVersion: 1 }));
  await signedIn.promise;

  return {
    /** Sends a mutation. Resolves when the hub has stored it, rejects with the reason if it was refused. */
    change(message: Record<string, unknown>): Promise<void> {
      const mutationId = world.random.uuid();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.set(mutationId, { resolve, reject });
      socket.send(JSON.stringify({ ...message, mutationId }));
      return promise;
    },
    close: (): void => socket.close(),
  };
}

export type PracticeTerminal = Awaited<ReturnType<typeof connectPracticeTerminal>>;
