import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

export function useDiagnostics() {
  return useQuery(hubQuery("diagnostics", {}));
}
