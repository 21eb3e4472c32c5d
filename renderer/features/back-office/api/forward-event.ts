import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

export function useForwardEvent(eventId: string) {
  return useQuery(hubQuery("forwardEvent", { params: { eventId } }));
}
