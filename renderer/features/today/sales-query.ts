import { MINUTE_MS, type SalesReport } from "@comanda/protocol";
import { queryOptions } from "@tanstack/react-query";
import { hubQuery } from "../../lib/hub.ts";
import { requestHub } from "../../lib/hub-client.ts";
import { queryOf, type Period } from "./period.ts";

/**
 * Returns the query for the sales of several days, or of a day to compare with. The hub reads all their checks for it, so it is
 * repeated once a minute while the last day runs, not after each payment.
 */
export function salesOfDays(period: Period) {
  const query = queryOf(period);
  return queryOptions<SalesReport>({
    queryKey: ["salesOfDays", query],
    queryFn: ({ signal }) => requestHub("sales", { query }, signal),
    staleTime: MINUTE_MS,
    refetchInterval: ({ state: { data, error } }) =>
      error !== null || (data !== undefined && data.today <= period.through) ? MINUTE_MS : false,
  });
}

/** Returns the live query for the sales of the session or of a day. */
export function liveSales(period: Period | null) {
  return hubQuery("sales", period === null ? {} : { query: queryOf(period) });
}
