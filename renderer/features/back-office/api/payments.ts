import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

export function usePayments(state: "open" | "settled") {
  return useQuery(hubQuery("payments", { query: { state, limit: 200 } }));
}
