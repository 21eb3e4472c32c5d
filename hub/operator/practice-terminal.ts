import { once } from "node:events";
import type { HubMessage } from "@comanda/protocol";
import { WebSocket } from "ws";
import type { World } from "../platform/world.ts";

/** A terminal that opens and pays checks on the practice hub. */
export async function connectPracticeTerminal(world: World, port: number) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  const waiting = new Map<string, { resolve(): void; reject(error: Error): void }>();
  const signedIn = Promise.withResolvers<void>();
  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString("utf8")) as HubMessage;
    if (message.type === "AUTH_OK") signedIn.resolve();
    if (message.type === "AUTH_FAILED") signedIn.reject(new Error(message.error));
    if (message.type === "ORDER_ACK") waiting.get(message.mutationId)?.resolve();
    if (message.type === "ORDER_REJECTED") waiting.get(message.mutationId)?.reject(new Error(message.error));
  });
  socket.on("close", () => {
    const gone = new Error("the practice terminal lost its hub");
    signedIn.reject(gone);
    for (const { reject } of waiting.values()) reject(gone);
  });
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "AUTH", token: "practice", deviceId: "practice", protocolVersion: 1 }));
  await signedIn.promise;

  function change(message: Record<string, unknown>): Promise<void> {
    const mutationId = world.random.uuid();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.set(mutationId, { resolve, reject });
    socket.send(JSON.stringify({ ...message, mutationId }));
    return promise;
  }

  return {
    /** Opens a check and takes its payment; resolves when the hub has both on disk. */
    async sell(posReference: string): Promise<void> {
      const line = { id: "1", productId: "practice", quantity: 1, unitPrice: 1, total: 1 };
      const snapshot = { orderType: "takeout", lines: [line] };
      await change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
      const payments = [{ methodId: 1, amount: 1 }];
      await change({ type: "ORDER_PAY", posReference, baseVersion: 1, payments });
    },
    close: (): void => socket.close(),
  };
}
