import type { OperatorRouteName, StreamEvent, StreamTopic } from "@comanda/protocol";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { applyToKitchen } from "../features/kitchen/live.ts";
import { applyToOrders } from "../features/orders/live.ts";
import { applyToService } from "../features/service/live.ts";
import { applyToTerminals } from "../features/terminals/live.ts";
import { callHub } from "../lib/hub-client.ts";
import { hubKey } from "../lib/hub-query.ts";
import { useLive } from "../lib/live-context.ts";
import { currentToken, session, signIn } from "../lib/session.ts";

/** Which reads are to be repeated when the stream names a topic. */
const readsOf: Record<StreamTopic, readonly OperatorRouteName[]> = {
  floor_plan: ["floorPlan", "catalogue", "reservations"],
  orders: ["orders", "order", "orderTimeline", "closing"],
  terminals: ["terminals", "closing"],
  leases: ["leases", "terminals"],
  kitchen: ["kitchen"],
  back_office: ["backOffice", "closing"],
  forward: ["forwardEvents", "forwardEvent", "backOffice", "closing", "orderTimeline"],
  payments: ["payments", "closing", "orderTimeline"],
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
};

const appliers = [applyToService, applyToOrders, applyToTerminals, applyToKitchen];

/** Brings what the stream tells into the query cache, a batch at a time. */
export function Follow() {
  const live = useLive();
  const queries = useQueryClient();
  useEffect(() => {
    const ends = [
      live.onEvents((events) => apply(queries, events)),
      live.onRestart(() => {
        void adoptNewestToken();
        void queries.invalidateQueries();
      }),
      followSession(queries),
      live.start(),
    ];
    void adoptNewestToken();
    return () => ends.forEach((end) => end());
  }, [live, queries]);
  return null;
}

/** The back-office changes session ids at will; the hub tells the one that is in force now. */
async function adoptNewestToken(): Promise<void> {
  if (currentToken() === null) return;
  const me = await callHub("me", {}).catch(() => null);
  if (me?.token !== undefined) signIn(me.token, me.user);
}

function apply(queries: QueryClient, events: readonly StreamEvent[]): void {
  const overview = events.findLast((event) => event.type === "overview");
  if (overview !== undefined) queries.setQueryData(hubKey("overview", {}), overview.overview);
  for (const applyTo of appliers) applyTo(queries, events);
  const topics = new Set(events.flatMap((event) => (event.type === "changed" ? event.topics : [])));
  const routes = new Set([...topics].flatMap((topic) => readsOf[topic]));
  for (const route of routes) void queries.invalidateQueries({ queryKey: hubKey(route) });
}

/** With another sign-in the same reads give other answers; personal data goes with the one who may see it. */
function followSession(queries: QueryClient): () => void {
  let state = session.get().state;
  return session.subscribe(() => {
    const next = session.get().state;
    if (next === state) return;
    if (next === "out") queries.removeQueries({ predicate: (query) => !isPublic(query.queryKey[0]) });
    if (next !== "expired") void queries.invalidateQueries();
    state = next;
  });
}

function isPublic(route: unknown): boolean {
  return route === "overview" || route === "floorPlan" || route === "feed" || route === "pairing";
}
