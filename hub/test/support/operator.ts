import { get } from "node:http";
import {
  operatorRoutes,
  StreamEvent,
  type HttpRoute,
  type OperatorRouteName,
  type StreamTopic,
} from "@comanda/protocol";
import { onTestFinished } from "vitest";
import { expectDeclared } from "./declared-refusal.ts";
import type { Answer } from "./send.ts";
import type { TestHub } from "./start-test-hub.ts";

export interface OperatorInput {
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  body?: unknown;
  /** Null for no token; defaults to a manager's token. */
  token?: string | null;
  localAddress?: string;
}

/** Parts of a hub that calls need. */
export type HubCalls = Pick<TestHub, "send" | "signIn">;

/** Calls routes by name. Checks answers against their schemas, and that the route declares its refusals. */
export function operatorOf(hub: HubCalls) {
  return async (name: OperatorRouteName, input: OperatorInput = {}): Promise<Answer> => {
    const route: HttpRoute = operatorRoutes[name];
    const token = input.token === undefined ? await hub.signIn("manager") : input.token;
    const answer = await hub.send(route.method, addressOf(route, input), {
      headers: token === null ? {} : { Authorization: `Bearer ${token}` },
      ...(input.body !== undefined && { body: input.body }),
      ...(input.localAddress !== undefined && { localAddress: input.localAddress }),
    });
    expectDeclared(route, answer);
    const isGood = answer.status === (route.status ?? 200);
    if (isGood && route.file !== true && route.answer !== undefined) route.answer.parse(answer.body);
    return answer;
  };
}

function addressOf(route: HttpRoute, { params = {}, query = {} }: OperatorInput): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
  );
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

export interface TestStream {
  status: number;
  received: StreamEvent[];
  /** Waits for the next event of a type that no call has returned yet and that meets the condition. */
  next<T extends StreamEvent["type"]>(
    type: T,
    matches?: (event: Extract<StreamEvent, { type: T }>) => boolean,
  ): Promise<Extract<StreamEvent, { type: T }>>;
  /** Waits for the next `changed` event of a topic. */
  changed(topic: StreamTopic): Promise<Extract<StreamEvent, { type: "changed" }>>;
  ended: Promise<void>;
  /** Closes the stream. */
  close(): void;
}

/** Opens the live stream. Checks every event against its schema. */
export async function openStream(
  hub: TestHub,
  options: { token?: string | null; localAddress?: string } = {},
): Promise<TestStream> {
  const token = options.token === undefined ? await hub.signIn("manager") : options.token;
  const address = `${hub.url}/operator/v1/stream`;
  const received: StreamEvent[] = [];
  const unclaimed: StreamEvent[] = [];
  const waiters: { type: string; matches: (event: StreamEvent) => boolean; resolve: (event: StreamEvent) => void }[] =
    [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();

  function receive(event: StreamEvent): void {
    received.push(event);
    const index = waiters.findIndex((waiter) => waiter.type === event.type && waiter.matches(event));
    if (index === -1) unclaimed.push(event);
    else waiters.splice(index, 1)[0]?.resolve(event);
  }

  return new Promise((resolve, reject) => {
    const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
    const request = get(address, { headers, agent: false, localAddress: options.localAddress }, (response) => {
      let partialFrame = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        const frames = (partialFrame + chunk).split("\n\n");
        partialFrame = frames.pop() ?? "";
        for (const frame of frames) {
          const data = /^data: (.*)$/m.exec(frame)?.[1];
          if (data !== undefined) receive(StreamEvent.parse(JSON.parse(data)));
        }
      });
      response.on("close", () => end());
      const next: TestStream["next"] = (type, matches = () => true) => {
        type Match = Extract<StreamEvent, { type: typeof type }>;
        const index = unclaimed.findIndex((event) => event.type === type && matches(event as Match));
        const [found] = index === -1 ? [] : unclaimed.splice(index, 1);
        if (found !== undefined) return Promise.resolve(found as Match);
        return new Promise<Match>((resolveNext, rejectNext) => {
          const waiter = {
            type,
            matches: matches as (event: StreamEvent) => boolean,
            resolve: resolveNext as () => void,
          };
          waiters.push(waiter);
          void ended.then(() => rejectNext(new Error(`the stream ended while waiting for ${type}`)));
        });
      };
      resolve({
        status: response.statusCode ?? 0,
        received,
        ended,
        close: () => request.destroy(),
        next,
        changed: (topic) => next("changed", ({ topics }) => topics.includes(topic)),
      });
    });
    request.on("error", (error) => {
      end();
      reject(error);
    });
    onTestFinished(() => void request.destroy());
  });
}
