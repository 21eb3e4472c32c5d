import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  queryOptions,
  useQuery,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useEffect } from "react";
import { callHq, HqFailure, type AnswerOf, type ArgumentsOf, type QueryOf, type RouteName } from "./hq.ts";

/** Should the stream of news be gone, everything is read again this often. */
const READ_AGAIN_MS = 15_000;
const PAST_AGAIN_MS = 300_000;

export const cache = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      // The session has ended: whoever is there signs in again.
      if (error instanceof HqFailure && error.code === "UNAUTHENTICATED")
        void cache.refetchQueries({ queryKey: ["session"] });
    },
  }),
  defaultOptions: {
    queries: { retry: false, staleTime: 500, refetchInterval: READ_AGAIN_MS, refetchOnWindowFocus: true },
  },
});

/** A read as options of a query; without an input its key is that of all reads of its route. */
function hqQuery<N extends RouteName>(name: N, ...input: ArgumentsOf<N>) {
  return queryOptions<AnswerOf<N>>({ queryKey: [name, ...input], queryFn: () => callHq(name, ...input) });
}

/** Reads a route: known data at once, read again when headquarters say that it has changed (`news.ts`). */
export function useHq<N extends RouteName>(name: N, ...input: ArgumentsOf<N>): UseQueryResult<AnswerOf<N>> {
  return useQuery(hqQuery(name, ...input));
}

export const useSession = () =>
  useQuery({ ...hqQuery("session"), refetchInterval: ({ state }) => (state.error ? 3_000 : false) });
/** Of the chain, by which its days are counted; undefined, for this device's, until it is known. */
export function useTimeZone(): string | undefined {
  const { data } = useSession();
  return data?.state === "in" ? data.timeZone : undefined;
}
/** For those alone who may propose something of them. */
export const useProducts = (mayPropose: boolean) => useQuery({ ...hqQuery("products"), enabled: mayPropose });
/** Of a restaurant that is closed from here there is soon nothing to be read, before its page has gone, too. */
const closing = new Set<string>();
export function useRestaurant(id: string) {
  // Whoever comes back to its page later hears of headquarters what it is by then.
  useEffect(() => () => void closing.delete(id), [id]);
  return useQuery({ ...hqQuery("restaurant", { id }), enabled: () => !closing.has(id) });
}

/** Closes a restaurant for good. */
export async function closeRestaurant(id: string): Promise<void> {
  closing.add(id);
  try {
    await callHq("changeRestaurant", { id, body: { isClosed: true } });
  } catch (error) {
    closing.delete(id);
    throw error;
  }
}

/** Asks a restaurant's hub, until it has answered once: each question stands in the hub's audit log. */
export function useAnswerOfHub<N extends "check" | "doctor" | "logs">(name: N, ...input: ArgumentsOf<N>) {
  return useQuery({
    ...hqQuery(name, ...input),
    staleTime: ({ state }) => (state.data === undefined ? 0 : "static"),
    gcTime: 0,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
}

/** What was shown stays until what was asked for is there. */
export const useSales = (query: QueryOf<"sales">) =>
  useQuery({ ...hqQuery("sales", { query }), placeholderData: keepPreviousData });

/** Of days that are long over, which few changes are of: with those that change all the time they are not read again. */
export const usePastSales = (query: QueryOf<"sales">, isAsked: boolean) =>
  useQuery({ ...hqQuery("sales", { query }), enabled: isAsked, staleTime: "static", refetchInterval: PAST_AGAIN_MS });
