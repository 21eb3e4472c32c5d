import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { WebSocket } from "ws";
import type { Since } from "../load/connect-terminal.ts";

/** An order as a SYNC delivers it. */
export interface SyncedOrder {
  posReference: string;
  version: number;
  snapshot: { status: string };
}

export interface Acknowledged {
  version: number;
  seq: number;
  kitchenTicketId?: string;
  /** Present if several tickets were created. */
  kitchenTicketIds?: string[];
}

export type YearTerminal = Awaited<ReturnType<typeof connectYearTerminal>>;

interface Message {
  type: string;
  mutationId?: string;
  seq?: number;
  more?: boolean;
  hubId?: string;
  epoch?: string;
  orders?: SyncedOrder[];
}

/** Connects a terminal that sends one change at a time and waits for its answer. Signs in and reads the whole first SYNC. */
export async function connectYearTerminal(url: string, token: string, deviceId: string) {
  const socket = new WebSocket(url.replace("http", "ws"), { perMessageDeflate: false });
  const waiting = new Map<string, PromiseWithResolvers<Acknowledged>>();
  const orders: SyncedOrder[] = [];
  const position = { hubId: "", epoch: "", seq: 0 };
  const ready = Promise.withResolvers<void>();
  const disconnect = (error: Error): void => {
    ready.reject(error);
    for (const answer of waiting.values()) answer.reject(error);
    waiting.clear();
  };
  // Killing the hub may close the connection while no request is pending; avoids an unhandled rejection.
  ready.promise.catch(() => undefined);
  socket.on("error", disconnect);
  socket.once("close", (code) => disconnect(new Error(`the hub closed ${deviceId} with ${code}`)));
  socket.once("open", () => socket.send(JSON.stringify({ type: "AUTH", token, deviceId, protocolVersion: 1 })));
  socket.on("message", (data) => receive(JSON.parse((data as Buffer).toString()) as Message));

  function receive(message: Message): void {
    const { type, mutationId = "", seq } = message;
    if (seq !== undefined) position.seq = Math.max(position.seq, seq);
    if (type === "SYNC") {
      orders.push(...(message.orders ?? []));
      position.hubId = message.hubId ?? "";
      position.epoch = message.epoch ?? "";
      if (message.more !== true) ready.resolve();
    }
    if (type === "AUTH_FAILED" || type === "ERROR") disconnect(new Error(JSON.stringify(message)));
    if (type !== "ORDER_ACK" && type !== "ORDER_REJECTED") return;
    const answer = waiting.get(mutationId);
    waiting.delete(mutationId);
    if (type === "ORDER_ACK") answer?.resolve(message as unknown as Acknowledged);
    else answer?.reject(new Error(JSON.stringify(message).slice(0, 400)));
  }

  await ready.promise;
  const heartbeat = setInterval(() => socket.send(JSON.stringify({ type: "HEARTBEAT" })), 10_000);
  socket.once("close", () => clearInterval(heartbeat));
  return {
    /** Sends a change under a new mutation id; throws the error of ORDER_REJECTED or ERROR. */
    change(message: Record<string, unknown>): Promise<Acknowledged> {
      const mutationId = randomUUID();
      const answer = Promise.withResolvers<Acknowledged>();
      waiting.set(mutationId, answer);
      socket.send(JSON.stringify({ mutationId, ...message }));
      return answer.promise;
    },
    /** Returns the position in the shared state up to which this terminal has received everything. */
    since: (): Since => ({ ...position }),
    /** The orders of the first SYNC. */
    orders,
    async close(): Promise<void> {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = once(socket, "close");
      socket.terminate();
      await closed;
    },
  };
}
