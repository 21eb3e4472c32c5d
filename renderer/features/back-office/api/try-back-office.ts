import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callHub } from "../../../lib/hub-client.ts";
import { hubKey } from "../../../lib/hub-query.ts";

/** Signs the hub in anew and drains the queue. */
export function useTestBackOffice() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => callHub("tryBackOffice", {}),
    onSuccess: (status) => queries.setQueryData(hubKey("backOffice", {}), status),
  });
}
