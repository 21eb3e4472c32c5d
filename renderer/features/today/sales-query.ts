import { MINUTE_MS, type SalesReport } from "@comanda/protocol";
import { queryOptions } from "@tanstack/react-query";
import { hubQuery } from "../../lib/hub.ts";
import { requestHub } from "../../lib/hub-client.ts";
import { queryOf, type Period } from "./period.ts";

/**
 * What several days have sold, or a day that others are compared with. The hub reads all their checks for it: it is not
 * asked again with each payment, but once a minute while the last of them runs.
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

/** What the session, or a day, has sold, live. */
export function liveSales(period: Period | null) {
  return hubQuery("sales", period === null ? {} : { query: queryOf(period) });
}
