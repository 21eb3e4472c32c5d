import { terminalApi, type HttpRoute, type TerminalRouteName } from "@comanda/protocol";
import { expectDeclared } from "./declared-refusal.ts";
import type { HubCalls } from "./operator.ts";
import type { Answer } from "./send.ts";

export interface TerminalInput {
  query?: Record<string, string | number>;
  body?: unknown;
  /** Null for no token; defaults to a waiter's token. */
  token?: string | null;
  headers?: Record<string, string>;
}

/** Calls routes by name. Checks answers against their schemas, and that the route declares its refusals. */
export function terminalApiOf(hub: HubCalls) {
  return async (name: TerminalRouteName, input: TerminalInput = {}): Promise<Answer> => {
    const route: HttpRoute = terminalApi.routes[name];
    const isOpen = route.access === "public" || route.access === "device";
    const token = input.token === undefined ? (isOpen ? null : await hub.signIn("waiter")) : input.token;
    const search = new URLSearchParams(
      Object.entries(input.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const answer = await hub.send(route.method, search.size === 0 ? route.path : `${route.path}?${search.toString()}`, {
      headers: { ...(token !== null && { Authorization: `Bearer ${token}` }), ...input.headers },
      ...(input.body !== undefined && { body: input.body }),
    });
    expectDeclared(route, answer);
    if (answer.status === 200) route.answer?.parse(answer.body);
    return answer;
  };
}
