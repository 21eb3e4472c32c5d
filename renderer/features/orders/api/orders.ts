import type { OrderQuery } from "@comanda/protocol";
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { callHub } from "../../../lib/hub-client.ts";
import { hubKey } from "../../../lib/hub-query.ts";

export type OrderSearch = Partial<Pick<OrderQuery, "status" | "search" | "orderType">>;

const PAGE = 100;

export function ordersQuery(search: OrderSearch) {
  return infiniteQueryOptions({
    queryKey: hubKey("orders", search),
    queryFn: ({ pageParam, signal }) =>
      callHub("orders", { query: { ...search, limit: PAGE, cursor: pageParam ?? undefined } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Orders of a search, newest activity first; more pages as the list is scrolled. */
export function useOrders(search: OrderSearch) {
  return useInfiniteQuery({ ...ordersQuery(search), placeholderData: keepPreviousData });
}
