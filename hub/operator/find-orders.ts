import type { Jobs } from "../jobs/jobs.ts";
import {
  isPresentSearch,
  type FoundPage,
  type OrderFinder,
  type OrderSearch,
  type PageRange,
} from "../orders/order-search.ts";
import { searchOrdersJob } from "../orders/search-orders-job.ts";

/** A page of a search: at once among the orders that somebody works on, beside the service among all that there ever were. */
export async function findOrders(
  { finder, jobs, file }: { finder: OrderFinder; jobs: Jobs; file: string },
  search: OrderSearch,
  page: PageRange,
  signal: AbortSignal,
): Promise<FoundPage> {
  if (isPresentSearch(search)) return finder.page(search, page);
  return jobs.query(searchOrdersJob, { file, search, ...page }, { signal });
}
