import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { until } from "./until.ts";

export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw body. */
  raw: Buffer;
  // Tests read bodies of any event.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface Receiver {
  url: string;
  port: number;
  /** All requests so far, in order. */
  received: ReceivedRequest[];
  /** Number of connections so far. */
  connections(): number;
  /** Sets the handler of requests. By default they get 200 without a body. */
  answer(handler: (response: ServerResponse, received: ReceivedRequest) => void): void;
  /** Waits for `n` requests that meet the condition, and returns them. */
  count(n: number, matches?: (received: ReceivedRequest) => boolean): Promise<ReceivedRequest[]>;
}

/** Starts a webhook receiver that stops with the test. */
export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  let connections = 0;
  let handler: (response: ServerResponse, received: ReceivedRequest) => void = (response) => void response.end();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await buffer(request);
    const delivery = { path: request.url ?? "", headers: request.headers, raw, body: JSON.parse(raw.toString("utf8")) };
    received.push(delivery);
    handler(response, delivery);
  };
  const server = createServer((request, response) => void receive(request, response));
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    connections: () => connections,
    answer(next) {
      handler = next;
    },
    count: (n, matches = () => true) =>
      until(`${n} deliveries`, () => {
        const found = received.filter(matches);
        return found.length >= n && found;
      }),
  };
}
