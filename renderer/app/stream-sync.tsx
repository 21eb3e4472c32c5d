import type { OperatorRouteName, StreamTopic } from "@comanda/protocol";
import { lookAtServedPage } from "@comanda/ui/served-page.ts";
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

/** Reads again what the stream names, and everything after it was down. */
export function StreamSync() {
  useEffect(() => {
    const unfollowSession = followSession();
    const unfollowStream = followStream({
      onChanged: readChanged,
      onStart: (isFirst) => {
        void lookAtServedPage();
        // What was read just before may lack a change that the stream did not name yet.
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

/** The back-office may change a session's id at any time; the hub answers with the valid one. */
async function adoptNewestToken(): Promise<void> {
  const token = currentToken();
  if (token === null) return;
  const me = await callHub("me").catch(() => null);
  // Somebody may have signed out meanwhile, or in as somebody else.
  if (me?.token !== undefined && currentToken() === token) signIn(me.token, me.user, me.pinUntil);
}

function readChanged({ topics, orders }: Changed): void {
  const routes = new Set<unknown>(topics.flatMap((topic) => readsByTopic[topic]));
  const changedOrders = new Set<unknown>(orders);
  readAgain({ predicate: ({ queryKey: [route, input] }) => routes.has(route) || changedOrders.has(orderOf(input)) });
}

/** The order that a read is about. */
function orderOf(input: unknown): unknown {
  return (input as { params?: { posReference?: unknown } } | undefined)?.params?.posReference;
}

/** Another sign-in may read other things, so everything is read again; signing out removes personal data. */
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

/** Of what everybody may read, what managers alone are told: while the hub is away nothing takes its place. */
function removeDetail(): void {
  hubCache.setQueryData(hubQuery("overview").queryKey, (known) => known && withoutDetail(known));
  hubCache.setQueryData(hubQuery("feed").queryKey, (known) => {
    return known && { ...known, entries: known.entries.map(withoutDetail) };
  });
  hubCache.setQueryData(hubQuery("floorPlan").queryKey, (known) => {
    const floors = known?.floors.map((floor) => ({ ...floor, tables: floor.tables.map(withoutDetail) }));
    return known && floors && { ...known, floors };
  });
}
