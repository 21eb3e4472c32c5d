import { openReadOnly } from "../db/open-read-only.ts";
import { defineJob } from "../jobs/job.ts";
import { searchHistory, type FoundPage, type HistorySearch, type PageRange } from "./order-search.ts";

/** A page of a search through all orders, and how many there are. */
export const searchOrdersJob = defineJob("searchOrders", searchOrders);

function* searchOrders({
  file,
  search,
  ...page
}: PageRange & { file: string; search: HistorySearch }): Generator<undefined, FoundPage> {
  const db = openReadOnly(file);
  try {
    // Page and count are of one moment.
    db.exec("BEGIN");
    return yield* searchHistory(db, search, page);
  } finally {
    db.close();
  }
}
