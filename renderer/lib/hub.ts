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
import { hubTime } from "./hub-time.ts";
import { createReadAgain } from "./read-again.ts";

/** How soon a read that failed for a passing reason is retried, in ms. */
const FAILED_READ_MS = 10_000;

/**
 * The answers of the hub. The stream says when to read again, so data does not go stale by age, and only failed reads are
 * polled.
 */
export const hubCache = new QueryClient({
  defaultOptions: {
    // The hub is on the restaurant's network or on this PC: a browser without internet still reaches it.
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

/** Returns the cache key of a read or, without an input, of every read of that route. */
export function hubKey(name: OperatorRouteName, input?: unknown): readonly unknown[] {
  return input === undefined ? [name] : [name, input];
}

/** Reads again what the filter matches, or everything without a filter. */
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

/** Returns a read as query options, for screens that need more than `useHub`. */
export function hubQuery<N extends OperatorRouteName>(name: N, ...[input]: HubArguments<N>) {
  return queryOptions<HubAnswer<N>>({
    queryKey: hubKey(name, input),
    queryFn: ({ signal }) => requestHub(name, input, signal),
  });
}

/** Reads a route. Known data is there at once, and the stream keeps it fresh. */
export function useHub<N extends OperatorRouteName>(name: N, ...input: HubArguments<N>) {
  return useQuery(hubQuery(name, ...input));
}

/** Returns since when data on screen is out of date after a failed read, in ms since 1970, or null if none is. */
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
  return failed.length === 0 ? null : hubTime(Math.min(...failed.map((query) => query.state.dataUpdatedAt)));
}

/** Whether the error leaves the data unread. HUB-NOT_FOUND is an answer: the object no longer exists. */
function isUnread(error: unknown): boolean {
  return error !== null && !(error instanceof HubFailure && error.code === "HUB-NOT_FOUND");
}

/** The routes with answers in pages. */
type PagedRoute = {
  [N in OperatorRouteName]: HubAnswer<N> extends { nextCursor: string | null } ? N : never;
}[OperatorRouteName];

/** The search of a paged route: its query without the paging. */
export type HubSearch<N extends PagedRoute> = Omit<NonNullable<HubInput<N>["query"]>, "cursor" | "limit">;

const PAGE_LENGTH = 100;

/** Reads a search page by page. The rows of the previous search stay until another one is read. */
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
    // Every paged route has it, but the compiler cannot see that through `N`.
    getNextPageParam: (page) => (page as { nextCursor: string | null }).nextCursor,
    placeholderData: keepPreviousData,
  });
  // After a failure only `retry` continues: the list, which reads more at its end, would send requests without a pause.
  const hasMore = hasNextPage && error === null;
  return {
    first: data?.pages[0],
    rows: data?.pages.flatMap(rowsOf) ?? [],
    error,
    retry: () => void refetch(),
    /** Reads the next page. Absent while a page is read, at the end, and after a failure. */
    readMore: hasMore && !isFetchingNextPage ? () => void fetchNextPage() : undefined,
    hasMore,
    isReadingMore: isFetchingNextPage,
  };
}
