import type { OrderPage, OrderRow, StreamEvent } from "@comanda/protocol";
import type { InfiniteData } from "@tanstack/react-query";
import { hubCache, hubKey, type HubSearch } from "../../lib/hub.ts";

export type OrderSearch = HubSearch<"orders">;
type Pages = InfiniteData<OrderPage, string | null>;

/** Puts changed orders into every list that is open, and has an opened order read again. */
export function applyToOrders(events: readonly StreamEvent[]): void {
  const changed = new Map<string, OrderRow>();
  const removed = new Set<string>();
  for (const event of events) {
    if (event.type === "order") changed.set(event.order.posReference, event.order);
    if (event.type === "order_removed") removed.add(event.posReference);
  }
  if (changed.size === 0 && removed.size === 0) return;
  for (const [key, pages] of hubCache.getQueriesData<Pages>({ queryKey: hubKey("orders") })) {
    if (pages !== undefined) hubCache.setQueryData(key, withOrders(pages, key[1] as OrderSearch, changed, removed));
  }
  for (const posReference of [...changed.keys(), ...removed]) {
    const params = { params: { posReference } };
    void hubCache.invalidateQueries({ queryKey: hubKey("order", params) });
    void hubCache.invalidateQueries({ queryKey: hubKey("orderTimeline", params) });
  }
}

/** The list as the hub would answer it now: changed rows on top, those that no longer match gone. */
export function withOrders(
  pages: Pages,
  search: OrderSearch,
  changed: ReadonlyMap<string, OrderRow>,
  removed: ReadonlySet<string>,
): Pages {
  const [first, ...others] = pages.pages;
  if (first === undefined) return pages;
  const known = new Set(pages.pages.flatMap((page) => page.orders.map((order) => order.posReference)));
  const fresh = [...changed.values()].filter((order) => matches(order, search, known)).toReversed();
  const freshNames = new Set(fresh.map((order) => order.posReference));
  const added = fresh.filter((order) => !known.has(order.posReference)).length;
  let gone = 0;
  const keep = (order: OrderRow) => {
    const name = order.posReference;
    if (freshNames.has(name)) return false;
    const leaves = changed.has(name) || (removed.has(name) && search.status !== "removed" && search.status !== "all");
    if (leaves) gone += 1;
    return !leaves;
  };
  const kept = others.map((page) => ({ ...page, orders: page.orders.filter(keep) }));
  const top = { ...first, orders: [...fresh, ...first.orders.filter(keep)] };
  return { ...pages, pages: [{ ...top, total: first.total + added - gone }, ...kept] };
}

/** Whether an order belongs into a list. A text search is left to the hub: only what is already listed is kept fresh. */
function matches(order: OrderRow, search: OrderSearch, known: ReadonlySet<string>): boolean {
  if (search.search !== undefined && search.search !== "" && !known.has(order.posReference)) return false;
  if (search.orderType !== undefined && order.orderType !== search.orderType) return false;
  const done = order.status === "paid" || order.status === "closed";
  switch (search.status ?? "active") {
    case "active":
      return !done && !order.removed;
    case "paid":
      return done && !order.removed;
    case "removed":
      return order.removed;
    case "attention":
      return order.forward.state === "attention" || order.unappliedPayment || order.missingNumber === "failed";
    case "all":
      return true;
  }
}
