import { QueryCache, QueryClient, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import { hq, HqFailure, type AnswerOf, type QueryOf } from "./hq.ts";

/** Should the stream of news be gone, everything is read again this often. */
const READ_AGAIN_MS = 15_000;

export const cache = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      // The session has ended: whoever is there signs in again.
      if (error instanceof HqFailure && error.code === "UNAUTHENTICATED")
        void cache.refetchQueries({ queryKey: ["session"] });
    },
  }),
  defaultOptions: {
    queries: { retry: false, staleTime: 500, refetchInterval: READ_AGAIN_MS, refetchOnWindowFocus: true },
  },
});

export const useSession = () =>
  useQuery({
    queryKey: ["session"],
    queryFn: hq.session,
    refetchInterval: ({ state }) => (state.error ? 3_000 : false),
  });
/** Of the chain, by which its days are counted; undefined, for this device's, until it is known. */
export function useTimeZone(): string | undefined {
  const { data } = useSession();
  return data?.state === "in" ? data.timeZone : undefined;
}
export const useNow = () => useQuery({ queryKey: ["now"], queryFn: hq.now });
export const useAlerts = () => useQuery({ queryKey: ["alerts"], queryFn: hq.alerts });
export const useGroups = () => useQuery({ queryKey: ["groups"], queryFn: hq.groups });
export const usePeople = () => useQuery({ queryKey: ["people"], queryFn: hq.people });
export const useProposals = () => useQuery({ queryKey: ["proposals"], queryFn: hq.proposals });
export const useProposal = (id: string) => useQuery({ queryKey: ["proposal", id], queryFn: () => hq.proposal(id) });
/** For those alone who may propose something of them. */
export const useProducts = (mayPropose: boolean) =>
  useQuery({ queryKey: ["products"], queryFn: hq.products, enabled: mayPropose });
/** Of a restaurant that is closed from here there is soon nothing to be read, before its page has gone, too. */
const closing = new Set<string>();
export function useRestaurant(id: string) {
  // Whoever comes back to its page later hears of headquarters what it is by then.
  useEffect(() => () => void closing.delete(id), [id]);
  return useQuery({ queryKey: ["restaurant", id], queryFn: () => hq.restaurant(id), enabled: () => !closing.has(id) });
}

/** Closes a restaurant for good. */
export async function closeRestaurant(id: string): Promise<void> {
  closing.add(id);
  try {
    await hq.changeRestaurant(id, { isClosed: true });
  } catch (error) {
    closing.delete(id);
    throw error;
  }
}

/** Asked of the restaurant's hub, once: it stands in the hub's audit log. */
const askOnce = { staleTime: Infinity, gcTime: 0, refetchInterval: false, refetchOnWindowFocus: false } as const;
export const useCheck = (id: string, posReference: string) =>
  useQuery({ queryKey: ["check", id, posReference], queryFn: () => hq.check(id, { posReference }), ...askOnce });
export const useDoctor = (id: string) =>
  useQuery({ queryKey: ["doctor", id], queryFn: () => hq.doctor(id), ...askOnce });
export const useLogs = (id: string) => useQuery({ queryKey: ["logs", id], queryFn: () => hq.logs(id), ...askOnce });

/** What was shown stays until what was asked for is there. */
export const useSales = (query: QueryOf<"sales">): UseQueryResult<AnswerOf<"sales">> =>
  useQuery({ queryKey: ["sales", query], queryFn: () => hq.sales(query), placeholderData: (before) => before });
