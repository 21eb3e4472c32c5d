import type { ForwardEventState } from "@comanda/protocol";
import { useInfiniteQuery } from "@tanstack/react-query";
import { callHub } from "../../../lib/hub-client.ts";
import { hubKey } from "../../../lib/hub-query.ts";

/** Events of a state, page after page. */
export function useForwardEvents(state: ForwardEventState) {
  return useInfiniteQuery({
    queryKey: hubKey("forwardEvents", { state }),
    queryFn: ({ pageParam, signal }) =>
      callHub("forwardEvents", { query: { state, limit: 100, cursor: pageParam ?? undefined } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}
