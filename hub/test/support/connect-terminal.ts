import { once } from "node:events";
import type { HubMessage, HubMessageOf, HubMessageType } from "@comanda/protocol";
import { WebSocket, type ClientOptions } from "ws";

export interface TestTerminal {
  socket: WebSocket;
  /** The first answer of the hub. */
  hello: HubMessageOf<"AUTH_OK">;
  /** The first SYNC. */
  sync: HubMessageOf<"SYNC">;
  /** All messages received so far. */
  heard: HubMessage[];
  send(message: Record<string, unknown>): void;
  /** Waits for the next message of a type that no call has returned yet and that meets the condition, if given. */
  next<T extends HubMessageType>(type: T, meets?: (message: HubMessageOf<T>) => boolean): Promise<HubMessageOf<T>>;
  /** Sends a request and returns the message that echoes its requestId. */
  ask(message: Record<string, unknown>): Promise<HubMessage>;
  /** Sends a mutation with a new id. Returns its ORDER_ACK; throws if ORDER_REJECTED. */
  change(message: Record<string, unknown>): Promise<HubMessageOf<"ORDER_ACK">>;
  close(): void;
  /** Resolves with the close code. */
  closed: Promise<number>;
}

/** Connects a WebSocket and signs in. */
export async function connectTerminal(
  url: string,
  auth: Record<string, unknown>,
  options: ClientOptions = {},
): Promise<TestTerminal> {
  const socket = new WebSocket(url, options);
  const heard: HubMessage[] = [];
  let untaken: HubMessage[] = [];
  const waiting: { take: (message: HubMessage) => boolean }[] = [];
  const closed = once(socket, "close").then(([code]) => Number(code));
  // A refused connection rejects below; avoids an unhandled rejection of this one.
  closed.catch(() => {});
  socket.on("message", (data: Buffer) => {
    const frame = JSON.parse(data.toString("utf8")) as HubMessage | HubMessage[];
    for (const message of [frame].flat()) {
      heard.push(message);
      const index = waiting.findIndex((waiter) => waiter.take(message));
      if (index === -1) untaken.push(message);
      else waiting.splice(index, 1);
    }
  });
  await once(socket, "open");

  function next<T extends HubMessageType>(
    type: T,
    meets: (message: HubMessageOf<T>) => boolean = () => true,
  ): Promise<HubMessageOf<T>> {
    return take(
      type,
      (message): message is HubMessageOf<T> => message.type === type && meets(message as HubMessageOf<T>),
    );
  }

  function take<M extends HubMessage>(what: string, fits: (message: HubMessage) => message is M): Promise<M> {
    const found = untaken.find(fits);
    if (found !== undefined) {
      untaken = untaken.filter((message) => message !== found);
      return Promise.resolve(found);
    }
    return new Promise((resolve, reject) => {
      waiting.push({ take: (message) => fits(message) && (resolve(message), true) });
      // A killed hub may reset the connection without a close code.
      closed.then((code) => reject(new Error(`closed with ${code} while waiting for ${what}`)), reject);
    });
  }

  const sendMessage = (message: Record<string, unknown>): void => socket.send(JSON.stringify(message));
  sendMessage(auth);
  const hello = await next("AUTH_OK");
  const sync = await next("SYNC");
  return {
    socket,
    hello,
    sync,
    heard,
    send: sendMessage,
    next,
    async change(message) {
      const mutationId = crypto.randomUUID();
      sendMessage({ mutationId, ...message });
      const id = typeof message["mutationId"] === "string" ? message["mutationId"] : mutationId;
      const isAnswer = (answer: HubMessage): answer is HubMessageOf<"ORDER_ACK" | "ORDER_REJECTED"> =>
        (answer.type === "ORDER_ACK" || answer.type === "ORDER_REJECTED") && answer.mutationId === id;
      const answer = await take(`the answer to ${String(message["type"])}`, isAnswer);
      if (answer.type === "ORDER_ACK") return answer;
      throw Object.assign(new Error(`${answer.errorCode}: ${answer.error}`), answer);
    },
    async ask(message) {
      const { requestId = crypto.randomUUID() } = message;
      sendMessage({ ...message, requestId });
      const isAnswer = (answer: HubMessage): answer is HubMessage =>
        "requestId" in answer && answer.requestId === requestId;
      return take(`the answer to ${String(message["type"])}`, isAnswer);
    },
    close: () => socket.close(),
    closed,
  };
}
