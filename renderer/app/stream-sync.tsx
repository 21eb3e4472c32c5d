import type { OperatorRouteName, StreamEvent, StreamTopic } from "@comanda/protocol";
import { useEffect } from "react";
import { applyToKitchen } from "../features/kitchen/live.ts";
import { applyToOrders } from "../features/orders/live.ts";
import { applyToService } from "../features/service/live.ts";
import { applyToTerminals } from "../features/terminals/live.ts";
import { callHub, hubCache, hubKey, readAgain } from "../lib/hub.ts";
import { useLive } from "../lib/live.ts";
import { currentToken, session, signIn } from "../lib/session.ts";

/** The reads to repeat when the stream names a topic. */
const readsByTopic: Record<StreamTopic, readonly OperatorRouteName[]> = {
  floor_plan: ["floorPlan", "catalogue", "reservations"],
  orders: ["orders", "order", "orderTimeline", "closing"],
  terminals: ["terminals", "closing"],
  leases: ["leases", "terminals"],
  kitchen: ["kitchen"],
  item_states: ["itemStates"],
  back_office: ["backOffice", "closing"],
  forward: ["forwardEvents", "forwardEvent", "backOffice", "closing", "orderTimeline"],
  fiscal: ["fiscal"],
  payments: ["payments", "closing", "orderTimeline"],
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
};

const appliers = [applyToService, applyToOrders, applyToTerminals, applyToKitchen];

/** Applies the stream's events to the cache, a batch at a time. */
export function StreamSync() {
  const live = useLive();
  useEffect(() => {
    const ends = [
      live.onEvents((events) => apply(events)),
      live.onRestart(() => {
        void adoptNewestToken();
        void hubCache.invalidateQueries();
      }),
      followSession(),
      live.start(),
    ];
    void adoptNewestToken();
    return () => ends.forEach((end) => end());
  }, [live]);
  return null;
}

/** The back-office may change a session's id at any time; the hub answers with the valid one. */
async function adoptNewestToken(): Promise<void> {
  if (currentToken() === null) return;
  const me = await callHub("me").catch(() => null);
  if (me?.token !== undefined) signIn(me.token, me.user, me.pinUntil);
}

function apply(events: readonly StreamEvent[]): void {
  const overview = events.findLast((event) => event.type === "overview");
  if (overview !== undefined) hubCache.setQueryData(hubKey("overview"), overview.overview);
  for (const applyTo of appliers) applyTo(events);
  const topics = new Set(events.flatMap((event) => (event.type === "changed" ? event.topics : [])));
  readAgain(new Set([...topics].flatMap((topic) => readsByTopic[topic])));
}

/** Another sign-in may read other things, so everything is read again; signing out removes personal data. */
function followSession(): () => void {
  let state = session.get().state;
  return session.subscribe(() => {
    const next = session.get().state;
    if (next === state) return;
    if (next === "out") hubCache.removeQueries({ predicate: (query) => !isPublic(query.queryKey[0]) });
    if (next !== "expired") void hubCache.invalidateQueries();
    state = next;
  });
}

function isPublic(route: unknown): boolean {
  return route === "overview" || route === "floorPlan" || route === "feed" || route === "pairing";
}
