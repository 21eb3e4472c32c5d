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
  received: HubMessage[];
  send(message: Record<string, unknown>): void;
  /** Waits for the next message of a type that no call has returned yet and that meets the condition, if given. */
  next<T extends HubMessageType>(type: T, matches?: (message: HubMessageOf<T>) => boolean): Promise<HubMessageOf<T>>;
  /** Sends a request and returns the message that echoes its requestId. */
  request(message: Record<string, unknown>): Promise<HubMessage>;
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
  const received: HubMessage[] = [];
  let unclaimed: HubMessage[] = [];
  const waiters: { claim: (message: HubMessage) => boolean }[] = [];
  const closed = once(socket, "close").then(([code]) => Number(code));
  // A refused connection rejects below; avoids an unhandled rejection of this one.
  closed.catch(() => {});
  socket.on("message", (data: Buffer) => {
    const frame = JSON.parse(data.toString("utf8")) as HubMessage | HubMessage[];
    for (const message of [frame].flat()) {
      received.push(message);
      const index = waiters.findIndex((waiter) => waiter.claim(message));
      if (index === -1) unclaimed.push(message);
      else waiters.splice(index, 1);
    }
  });
  await once(socket, "open");

  function next<T extends HubMessageType>(
    type: T,
    matches: (message: HubMessageOf<T>) => boolean = () => true,
  ): Promise<HubMessageOf<T>> {
    return claim(
      type,
      (message): message is HubMessageOf<T> => message.type === type && matches(message as HubMessageOf<T>),
    );
  }

  function claim<M extends HubMessage>(
    description: string,
    matches: (message: HubMessage) => message is M,
  ): Promise<M> {
    const found = unclaimed.find(matches);
    if (found !== undefined) {
      unclaimed = unclaimed.filter((message) => message !== found);
      return Promise.resolve(found);
    }
    return new Promise((resolve, reject) => {
      waiters.push({ claim: (message) => matches(message) && (resolve(message), true) });
      // A killed hub may reset the connection without a close code.
      closed.then((code) => reject(new Error(`closed with ${code} while waiting for ${description}`)), reject);
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
    received,
    send: sendMessage,
    next,
    async change(message) {
      const mutationId = crypto.randomUUID();
      sendMessage({ mutationId, ...message });
      const id = typeof message["mutationId"] === "string" ? message["mutationId"] : mutationId;
      const isAnswer = (answer: HubMessage): answer is HubMessageOf<"ORDER_ACK" | "ORDER_REJECTED"> =>
        (answer.type === "ORDER_ACK" || answer.type === "ORDER_REJECTED") && answer.mutationId === id;
      const answer = await claim(`the answer to ${String(message["type"])}`, isAnswer);
      if (answer.type === "ORDER_ACK") return answer;
      throw Object.assign(new Error(`${answer.errorCode}: ${answer.error}`), answer);
    },
    async request(message) {
      const { requestId = crypto.randomUUID() } = message;
      sendMessage({ ...message, requestId });
      const isAnswer = (answer: HubMessage): answer is HubMessage =>
        "requestId" in answer && answer.requestId === requestId;
      return claim(`the answer to ${String(message["type"])}`, isAnswer);
    },
    close: () => socket.close(),
    closed,
  };
}
