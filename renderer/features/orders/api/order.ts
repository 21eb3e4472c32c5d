import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

export function useOrder(posReference: string) {
  return useQuery(hubQuery("order", { params: { posReference } }));
}
