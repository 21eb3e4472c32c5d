import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

export function useCatalogue() {
  return useQuery(hubQuery("catalogue", {})).data;
}
