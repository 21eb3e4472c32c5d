import { operatorRoutes, type OperatorRouteName } from "@comanda/protocol";
import {
  keepPreviousData,
  notifyManager,
  QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { requestHub, type HubAnswer, type HubArguments, type HubInput } from "./hub-client.ts";
import { HubFailure, isPassing } from "./hub-failure.ts";
import { createReadAgain } from "./read-again.ts";

/** How soon a read that failed for a passing reason is tried again. */
const FAILED_READ_MS = 10_000;

/**
 * The answers of the hub. The stream says when to read again, so nothing goes stale by age, and only what could not be
 * read is polled.
 */
export const hubCache = new QueryClient({
  defaultOptions: {
    // The hub is on the restaurant's network, or on this PC: a browser without internet still reaches it.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < 3 && (!(error instanceof HubFailure) || error.code === "HUB-NO_CONNECTION"),
      refetchInterval: (query) => (isPassing(query.state.error) ? FAILED_READ_MS : false),
    },
  },
});

/** The cache key of a read; without an input, of every read of that route. */
export function hubKey(name: OperatorRouteName, input?: unknown): readonly unknown[] {
  return input === undefined ? [name] : [name, input];
}

/** Reads again what has changed; without a filter everything. */
export const readAgain = createReadAgain(hubCache);

/** Calls the hub. After a write everything is read again at once, because the stream may be down. Throws a HubFailure. */
export async function callHub<N extends OperatorRouteName>(
  name: N,
  ...[input]: HubArguments<N>
): Promise<HubAnswer<N>> {
  const answer = await requestHub(name, input);
  if (operatorRoutes[name].method !== "GET") readAgain();
  return answer;
}

/** A read as query options, where a screen needs more than `useHub`. */
export function hubQuery<N extends OperatorRouteName>(name: N, ...[input]: HubArguments<N>) {
  return queryOptions<HubAnswer<N>>({
    queryKey: hubKey(name, input),
    queryFn: ({ signal }) => requestHub(name, input, signal),
  });
}

/** Reads a route: known data at once, kept fresh by the stream. */
export function useHub<N extends OperatorRouteName>(name: N, ...input: HubArguments<N>) {
  return useQuery(hubQuery(name, ...input));
}

/** Since when something on screen is out of date because it could not be read again, in ms since 1970; null when nothing is. */
export function useStaleSince(): number | null {
  return useSyncExternalStore(followReads, staleSince);
}

const followReads = (onChange: () => void): (() => void) =>
  hubCache.getQueryCache().subscribe(notifyManager.batchCalls(onChange));

function staleSince(): number | null {
  const failed = hubCache
    .getQueryCache()
    .getAll()
    .filter((query) => query.isActive() && query.state.data !== undefined && isUnread(query.state.error));
  return failed.length === 0 ? null : Math.min(...failed.map((query) => query.state.dataUpdatedAt));
}

/** What is gone has been read. */
function isUnread(error: unknown): boolean {
  return error !== null && !(error instanceof HubFailure && error.code === "HUB-NOT_FOUND");
}

/** The routes that answer page after page. */
type PagedRoute = {
  [N in OperatorRouteName]: HubAnswer<N> extends { nextCursor: string | null } ? N : never;
}[OperatorRouteName];

/** What a paged route is searched by. */
export type HubSearch<N extends PagedRoute> = Omit<NonNullable<HubInput<N>["query"]>, "cursor" | "limit">;

const PAGE_LENGTH = 100;

/** Reads a search page after page. While another search is read, the rows of the former one stay. */
export function useHubPages<N extends PagedRoute, Row>(
  name: N,
  search: HubSearch<N>,
  rowsOf: (page: HubAnswer<N>) => readonly Row[],
) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: hubKey(name, search),
    queryFn: ({ pageParam, signal }) => {
      const query = { ...search, limit: PAGE_LENGTH, cursor: pageParam ?? undefined };
      return requestHub(name, { query } as HubInput<N>, signal);
    },
    initialPageParam: null as string | null,
    // Every paged route has it; the compiler cannot see that through `N`.
    getNextPageParam: (page) => (page as { nextCursor: string | null }).nextCursor,
    placeholderData: keepPreviousData,
  });
  // After a failure it is `retry` that goes on: what reads by itself at the end of a list would ask without a pause.
  const hasMore = hasNextPage && error === null;
  return {
    first: data?.pages[0],
    rows: data?.pages.flatMap(rowsOf) ?? [],
    error,
    retry: () => void refetch(),
    /** Reads the next page; absent while one is read, at the end, and after a failure. */
    readMore: hasMore && !isFetchingNextPage ? () => void fetchNextPage() : undefined,
    hasMore,
    isReadingMore: isFetchingNextPage,
  };
}
