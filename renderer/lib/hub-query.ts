import type { OperatorRouteName } from "@comanda/protocol";
import { queryOptions } from "@tanstack/react-query";
import { callHub, type HubAnswer, type HubInput } from "./hub-client.ts";
import { currentToken } from "./session.ts";

/** The cache key of a call: who asks (with or without token the answers differ), the route, its input. */
export function hubKey(name: OperatorRouteName, input?: unknown): readonly unknown[] {
  return input === undefined ? [name] : [name, input];
}

/** A read of the hub for the query cache. The stream keeps it fresh, so it never goes stale by age. */
export function hubQuery<N extends OperatorRouteName>(name: N, input: HubInput<N>) {
  return queryOptions<HubAnswer<N>>({
    queryKey: hubKey(name, input),
    queryFn: ({ signal }) => callHub(name, input, signal),
  });
}

/** For reads that only a manager may make. */
export function isSignedIn(): boolean {
  return currentToken() !== null;
}
