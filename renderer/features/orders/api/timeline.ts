import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

export function useTimeline(posReference: string) {
  return useQuery(hubQuery("orderTimeline", { params: { posReference } }));
}
