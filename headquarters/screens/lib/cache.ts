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

/** How often everything is read again, in case the event stream is gone. */
const REFRESH_MS = 15_000;
const PAST_REFRESH_MS = 300_000;

export const cache = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      // The session has ended: reading it again leads to the sign-in screen.
      if (error instanceof HqFailure && error.code === "UNAUTHENTICATED")
        void cache.refetchQueries({ queryKey: ["session"] });
    },
  }),
  defaultOptions: {
    queries: { retry: false, staleTime: 500, refetchInterval: REFRESH_MS, refetchOnWindowFocus: true },
  },
});

/** Returns the query options for a route. */
function hqQuery<N extends RouteName>(name: N, ...input: ArgumentsOf<N>) {
  return queryOptions<AnswerOf<N>>({ queryKey: [name, ...input], queryFn: () => callHq(name, ...input) });
}

/** Reads a route. Returns cached data at once, and reads again when headquarters report a change (`news.ts`). */
export function useHq<N extends RouteName>(name: N, ...input: ArgumentsOf<N>): UseQueryResult<AnswerOf<N>> {
  return useQuery(hqQuery(name, ...input));
}

export const useSession = () =>
  useQuery({ ...hqQuery("session"), refetchInterval: ({ state }) => (state.error ? 3_000 : false) });
/** Returns the time zone by which the chain counts its days; undefined, for this device's, until it is known. */
export function useTimeZone(): string | undefined {
  const { data } = useSession();
  return data?.state === "in" ? data.timeZone : undefined;
}
/** Reads the products, if the person may make proposals. */
export const useProducts = (mayPropose: boolean) => useQuery({ ...hqQuery("products"), enabled: mayPropose });
/** Restaurants being closed on this page. Reading one would fail while its page is still open. */
const closing = new Set<string>();
export function useRestaurant(id: string) {
  // A later visit to the page reads the restaurant again.
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

/** Asks a restaurant's hub until it has answered once, because the hub records each question in its audit log. */
export function useAnswerOfHub<N extends "check" | "doctor" | "logs">(name: N, ...input: ArgumentsOf<N>) {
  return useQuery({
    ...hqQuery(name, ...input),
    staleTime: ({ state }) => (state.data === undefined ? 0 : "static"),
    gcTime: 0,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
}

/** Reads sales. The previous result stays until the requested one is there. */
export const useSales = (query: QueryOf<"sales">) =>
  useQuery({ ...hqQuery("sales", { query }), placeholderData: keepPreviousData });

/** Reads sales of past days, which rarely change: every few minutes, and not after each event. */
export const usePastSales = (query: QueryOf<"sales">, isEnabled: boolean) =>
  useQuery({
    ...hqQuery("sales", { query }),
    enabled: isEnabled,
    staleTime: "static",
    refetchInterval: PAST_REFRESH_MS,
  });
