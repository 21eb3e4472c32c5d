import type { LogLevel } from "@comanda/protocol";
import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

/** The last lines of this level and above; the stream carries the next ones. */
export function useLogs(level: LogLevel) {
  return useQuery({ ...hubQuery("logs", { query: { level, limit: 500 } }), staleTime: 0, refetchOnMount: "always" });
}
