import type { HqAlert, HqNow, HqPresence, HqRestaurantRow } from "@comanda/protocol/headquarters.ts";
import type { z } from "zod";
import { openAlertsByRestaurant } from "../alerts/alert-store.ts";
import { coverageOf } from "../alerts/coverage.ts";
import type { LagWatch } from "../alerts/lag-watch.ts";
import { readRestaurants, type RestaurantStatus, type Scope } from "../alerts/restaurants.ts";
import type { Database } from "../db/database.ts";
import { compareNames } from "@comanda/protocol/compare-names.ts";
import { scopeOf } from "./scope.ts";
import type { Handlers } from "./serve-api.ts";

type Now = z.input<typeof HqNow>;

/** Returns whether a restaurant is online now. */
export type PresenceNow = (restaurant: Pick<RestaurantStatus, "hubId" | "heardAt">) => HqPresence;

export function nowRoute(deps: { database: Database; lag: LagWatch; now: () => number; presence: PresenceNow }) {
  const { database, lag, now, presence } = deps;
  /** Pending reads by scope, shared by requests: after an event all screens ask at once. */
  const pendingReads = new Map<string, Promise<Now>>();

  async function read(scope: Scope): Promise<Now> {
    const [restaurants, alerts] = await Promise.all([
      readRestaurants(database, scope),
      openAlertsByRestaurant(database),
    ]);
    const rows = restaurants.map((each) => presentRow(each, alerts.get(each.id) ?? [], presence(each)));
    return {
      coverage: coverageOf(restaurants, lag, now()),
      totals: totalsOf(restaurants),
      restaurants: rows.toSorted((a, b) => troubleOf(a) - troubleOf(b) || compareNames(a, b)),
    };
  }

  return {
    now({ caller }) {
      const scope = scopeOf(caller);
      const key = JSON.stringify(scope);
      const pendingRead = pendingReads.get(key) ?? read(scope).finally(() => pendingReads.delete(key));
      pendingReads.set(key, pendingRead);
      return pendingRead;
    },
  } satisfies Partial<Handlers>;
}

export function presentRow(
  restaurant: RestaurantStatus,
  alerts: readonly Pick<HqAlert, "kind" | "severity">[],
  presence: HqPresence,
): HqRestaurantRow {
  const { id, name, groups, heardAt, copyOf, beat } = restaurant;
  return {
    id,
    name,
    groups,
    presence,
    lastSeenAt: heardAt?.toISOString() ?? null,
    copyOf: copyOf?.toISOString() ?? null,
    beat,
    alerts: alerts.map(({ kind, severity }) => ({ kind, severity })),
  };
}

/** Returns the sort key of the list, lowest first. A restaurant that was closed when it went silent needs no attention. */
function troubleOf({ alerts, presence, beat }: HqRestaurantRow): number {
  if (alerts.some(({ severity }) => severity === "page")) return 0;
  const isOpen = beat?.sessionOpen === true;
  if (presence === "offline" && isOpen) return 1;
  if (alerts.length > 0) return 2;
  if (presence === "late" && isOpen) return 3;
  if (presence === "never") return 6;
  return isOpen ? 4 : 5;
}

function totalsOf(restaurants: readonly RestaurantStatus[]): Now["totals"] {
  const totals = { openChecks: 0, openCents: 0, paidChecks: 0, paidCents: 0 };
  for (const { hubId, beat } of restaurants) {
    if (beat === null || hubId === null) continue;
    totals.openChecks += beat.openChecks;
    totals.openCents += Math.round(beat.openTotal * 100);
    totals.paidChecks += beat.paidChecks;
    totals.paidCents += Math.round(beat.paidTotal * 100);
  }
  const { openCents, paidCents, ...counts } = totals;
  return { ...counts, openTotal: openCents / 100, paidTotal: paidCents / 100 };
}
