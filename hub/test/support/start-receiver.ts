import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { until } from "./until.ts";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as it came. */
  raw: Buffer;
  // Tests read bodies of every event.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface Receiver {
  url: string;
  port: number;
  /** Everything received so far, in order. */
  received: Received[];
  /** How many connections were opened. */
  connections(): number;
  /** From now on requests are answered by this; 200 without a body until then. */
  answer(handler: (response: ServerResponse, received: Received) => void): void;
  /** Waits until so many have come that meet the condition, and answers them. */
  count(n: number, meets?: (received: Received) => boolean): Promise<Received[]>;
}

/** Somebody's webhook receiver; gone when the test is. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let connections = 0;
  let handler: (response: ServerResponse, received: Received) => void = (response) => void response.end();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await buffer(request);
    const one = { path: request.url ?? "", headers: request.headers, raw, body: JSON.parse(raw.toString("utf8")) };
    received.push(one);
    handler(response, one);
  };
  const server = createServer((request, response) => void take(request, response));
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
    count: (n, meets = () => true) =>
      until(`${n} deliveries`, () => {
        const found = received.filter(meets);
        return found.length >= n && found;
      }),
  };
}
