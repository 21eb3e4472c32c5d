import { once } from "node:events";
import type { HubMessage } from "@comanda/protocol";
import { WebSocket, type ClientOptions } from "ws";
import { until } from "./until.ts";

export interface OpenSocket {
  socket: WebSocket;
  /** All received frames. */
  frames: string[];
  /** All received messages; arrays are flattened. */
  received: HubMessage[];
  send(message: unknown): void;
  /** Waits for the first message of this type. */
  first(type: HubMessage["type"]): Promise<HubMessage>;
  closed: Promise<number>;
}

/** Opens a WebSocket without sending anything. */
export async function openSocket(url: string, options: ClientOptions = {}): Promise<OpenSocket> {
  const socket = new WebSocket(url.replace(/^http/, "ws"), options);
  const frames: string[] = [];
  const received: HubMessage[] = [];
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  socket.on("message", (data: Buffer) => {
    const text = data.toString("utf8");
    frames.push(text);
    received.push(...[JSON.parse(text) as HubMessage | HubMessage[]].flat());
  });
  await once(socket, "open");
  return {
    socket,
    frames,
    received,
    send: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    first: (type) => until(type, () => received.find((message) => message.type === type)),
    closed,
  };
}

/** Returns the HTTP status with which a WebSocket is refused. */
export async function refusedStatus(url: string, options: ClientOptions = {}): Promise<number> {
  const socket = new WebSocket(url.replace(/^http/, "ws"), options);
  socket.on("error", () => {});
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, { statusCode: number }];
  socket.terminate();
  return response.statusCode;
}
