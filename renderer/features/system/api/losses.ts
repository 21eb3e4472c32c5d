import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

/** What a restore lost: what waits for a manager, or what was decided. */
export function useLosses(state: "open" | "settled") {
  return useQuery(hubQuery("losses", { query: { state, limit: 200 } }));
}
