import type { DeliveryQuery } from "@comanda/protocol";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { callHub } from "../../../lib/hub-client.ts";
import { hubKey } from "../../../lib/hub-query.ts";

export type DeliverySearch = Partial<Pick<DeliveryQuery, "webhookId" | "state" | "search">>;

/** Deliveries of a search, newest first, page after page. */
export function useDeliveries(search: DeliverySearch) {
  return useInfiniteQuery({
    queryKey: hubKey("deliveries", search),
    queryFn: ({ pageParam, signal }) =>
      callHub("deliveries", { query: { ...search, limit: 100, cursor: pageParam ?? undefined } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}
