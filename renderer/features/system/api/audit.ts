import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { callHub } from "../../../lib/hub-client.ts";
import { hubKey } from "../../../lib/hub-query.ts";

/** What operators did, newest first, page after page. */
export function useAudit(search: string) {
  return useInfiniteQuery({
    queryKey: hubKey("audit", { search }),
    queryFn: ({ pageParam, signal }) =>
      callHub("audit", { query: { search, limit: 100, cursor: pageParam ?? undefined } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}
