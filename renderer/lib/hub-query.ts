import type { OperatorRouteName } from "@comanda/protocol";
import { queryOptions } from "@tanstack/react-query";
import { callHub, type HubAnswer, type HubInput } from "./hub-client.ts";

/** The cache key of a call: the route and its input. A change of the sign-in has everything read again. */
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
