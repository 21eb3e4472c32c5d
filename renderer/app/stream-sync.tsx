import type { OperatorRouteName, StreamTopic } from "@comanda/protocol";
import { checkServedPage } from "@comanda/ui/served-page.ts";
import { useEffect } from "react";
import { callHub, hubCache, hubQuery, readAgain } from "../lib/hub.ts";
import { followStream, type Changed } from "../lib/live.ts";
import { currentToken, session, signIn } from "../lib/session.ts";
import { withoutDetail } from "../lib/without-detail.ts";

/** The reads to repeat when the stream names a topic. */
const readsByTopic: Record<StreamTopic, readonly OperatorRouteName[]> = {
  overview: ["overview"],
  feed: ["feed"],
  floor_plan: ["floorPlan"],
  catalogue: ["catalogue", "reservations"],
  orders: ["orders", "closing", "sales", "tips"],
  terminals: ["terminals", "closing"],
  leases: ["leases"],
  kitchen: ["kitchen"],
  item_states: ["itemStates"],
  printing: ["printers", "printRoutes", "printJobs", "printJob", "closing"],
  back_office: ["backOffice", "closing"],
  forward: ["forwardEvents", "forwardEvent", "backOffice", "closing", "orderTimeline"],
  fiscal: ["fiscal", "closing"],
  payments: ["payments", "closing", "orderTimeline", "noShift"],
  tills: ["tills", "shifts", "shift", "noShift", "closing"],
  people: ["people"],
  kept_changes: ["keptChanges", "closing"],
  keys: ["keys"],
  webhooks: ["webhooks"],
  deliveries: ["deliveries", "delivery", "deadLetters", "webhooks"],
  plugins: ["plugins", "reservations"],
  reservations: ["reservations"],
  settings: ["settings"],
  backups: ["backups"],
  data_file: ["dataFile"],
  losses: ["losses", "closing"],
  audit: ["audit"],
  pairing: ["pairing"],
  chain: ["chain", "chainProposals"],
  logs: ["logs"],
};

/** Repeats the reads that the stream names, and all reads after the stream was down. */
export function StreamSync() {
  useEffect(() => {
    const unfollowSession = followSession();
    const unfollowStream = followStream({
      onChanged: readChanged,
      onStart: (isFirst) => {
        void checkServedPage();
        // Data read just before the stream started may lack a change that the stream never names.
        if (isFirst) return readAgain();
        void adoptNewestToken();
        void hubCache.invalidateQueries();
      },
    });
    void adoptNewestToken();
    return () => {
      unfollowStream();
      unfollowSession();
    };
  }, []);
  return null;
}

/** Adopts the hub's current token: the back-office may change a session's id at any time. */
async function adoptNewestToken(): Promise<void> {
  const token = currentToken();
  if (token === null) return;
  const me = await callHub("me").catch(() => null);
  // The user may have signed out, or another one in, during the call.
  if (me?.token !== undefined && currentToken() === token) signIn(me.token, me.user, me.pinUntil);
}

function readChanged({ topics, orders }: Changed): void {
  const routes = new Set<unknown>(topics.flatMap((topic) => readsByTopic[topic]));
  const changedOrders = new Set<unknown>(orders);
  readAgain({ predicate: ({ queryKey: [route, input] }) => routes.has(route) || changedOrders.has(orderOf(input)) });
}

/** Returns the order that a read is about, or `undefined` if it is about none. */
function orderOf(input: unknown): unknown {
  return (input as { params?: { posReference?: unknown } } | undefined)?.params?.posReference;
}

/** Reads everything again after a sign-in, which may be allowed to see more. A sign-out removes personal data. */
function followSession(): () => void {
  let state = session.get().state;
  return session.subscribe(() => {
    const next = session.get().state;
    if (next === state) return;
    if (next === "out") {
      hubCache.removeQueries({ predicate: (query) => !isPublic(query.queryKey[0]) });
      removeDetail();
    }
    if (next !== "expired") void hubCache.invalidateQueries();
    state = next;
  });
}

function isPublic(route: unknown): boolean {
  return route === "overview" || route === "floorPlan" || route === "feed" || route === "pairing";
}

/** Removes the managers' details from public reads at once: while the hub is unreachable, no new read replaces them. */
function removeDetail(): void {
  hubCache.setQueryData(hubQuery("overview").queryKey, (cached) => cached && withoutDetail(cached));
  hubCache.setQueryData(hubQuery("feed").queryKey, (cached) => {
    return cached && { ...cached, entries: cached.entries.map(withoutDetail) };
  });
  hubCache.setQueryData(hubQuery("floorPlan").queryKey, (cached) => {
    const floors = cached?.floors.map((floor) => ({ ...floor, tables: floor.tables.map(withoutDetail) }));
    return cached && floors && { ...cached, floors };
  });
}
