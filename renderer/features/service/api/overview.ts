import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

export function useOverview() {
  return useQuery(hubQuery("overview", {}));
}
