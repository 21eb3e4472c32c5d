import type { Jobs } from "../jobs/jobs.ts";
import {
  isPresentSearch,
  type FoundPage,
  type OrderFinder,
  type OrderSearch,
  type PageRange,
} from "../orders/order-search.ts";
import { searchOrdersJob } from "../orders/search-orders-job.ts";

/** A page of a search: read at once among the active orders, in a thread of its own among all orders. */
export async function findOrders(
  { orderSearch, jobs, file }: { orderSearch: OrderFinder; jobs: Jobs; file: string },
  search: OrderSearch,
  page: PageRange,
  signal: AbortSignal,
): Promise<FoundPage> {
  if (isPresentSearch(search)) return orderSearch.page(search, page);
  return jobs.query(searchOrdersJob, { file, search, ...page }, { signal });
}
