import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

export function useDelivery(deliveryId: number) {
  return useQuery(hubQuery("delivery", { params: { deliveryId } }));
}
