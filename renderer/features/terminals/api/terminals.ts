import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

export function useTerminals() {
  return useQuery(hubQuery("terminals", {}));
}
