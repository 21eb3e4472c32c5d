import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

export type TicketSet = "open" | "ready";

export function useTickets(state: TicketSet) {
  return useQuery(hubQuery("kitchen", { query: { state } }));
}
