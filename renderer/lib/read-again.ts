import type { Query, QueryClient, QueryFilters } from "@tanstack/react-query";

/** The pause between two reads of a query: at least PAUSE_MS, and PAUSE_TIMES as long as the last read took. */
const PAUSE_MS = 250;
const PAUSE_TIMES = 4;
const MAX_PAUSE_MS = 5_000;
/** Longer pauses in ms, by route. For the sales, the hub counts all checks of the day. */
const minPauses: Readonly<Record<string, number>> = { sales: 5_000 };

/**
 * Returns a function that reads matching queries again: visible ones at once, the others when they are shown next. Each query
 * is read by one request at a time, with a pause between them, and once more after the last call.
 */
export function createReadAgain(cache: QueryClient): (filters?: QueryFilters) => void {
  /** The queries that are being read or paused, and whether to read them once more. */
  const busy = new Map<string, boolean>();

  async function keepReading({ queryHash, queryKey, state }: Query): Promise<void> {
    // The answer to a request under way may be from before the change.
    busy.set(queryHash, state.fetchStatus === "fetching");
    do {
      const startedAt = performance.now();
      await cache.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
      const tookMs = performance.now() - startedAt;
      const minMs = minPauses[String(queryKey[0])] ?? PAUSE_MS;
      await pause(Math.min(Math.max(minMs, PAUSE_TIMES * tookMs), MAX_PAUSE_MS));
    } while (takePending(queryHash));
    busy.delete(queryHash);
  }

  function takePending(queryHash: string): boolean {
    const isOnceMore = busy.get(queryHash) === true;
    busy.set(queryHash, false);
    return isOnceMore;
  }

  return (filters = {}) => {
    for (const query of cache.getQueryCache().findAll(filters)) {
      if (busy.has(query.queryHash)) busy.set(query.queryHash, true);
      else void keepReading(query);
    }
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
