import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

/** How things are; kept fresh by the stream. */
export function useOverview() {
  return useQuery(hubQuery("overview", {}));
}
