import type { HqCoverage } from "@comanda/protocol/headquarters.ts";
import type { LagWatch } from "./lag-watch.ts";
import { OFFLINE_MS } from "../presence/presence-of.ts";
import type { RestaurantStatus } from "./restaurants.ts";

/**
 * Returns how complete figures over these restaurants are. `holes` are the known gaps. A restaurant is up to date if its copy
 * is newer than `complete` (ms since 1970). It also is if it was closed at its last beat and all its data is here: it cannot
 * have sold anything since.
 */
export function coverageOf(
  restaurants: readonly RestaurantStatus[],
  lag: LagWatch,
  now: number,
  { complete = Infinity, holes = [] }: { complete?: number; holes?: HqCoverage["holes"] } = {},
): HqCoverage {
  const behind = restaurants.filter(
    (each) => !isCurrent(each, lag, now) && !((each.copyOf?.getTime() ?? 0) > complete),
  );
  return {
    asOf: new Date(now).toISOString(),
    restaurants: restaurants.length,
    current: restaurants.length - behind.length,
    behind: behind.map(({ id, name, copyOf, heardAt }) => ({
      id,
      name,
      since: (copyOf ?? heardAt)?.toISOString() ?? null,
    })),
    holes,
  };
}

function isCurrent(restaurant: RestaurantStatus, lag: LagWatch, now: number): boolean {
  const { beat, heardAt, isFullDone } = restaurant;
  if (beat === null || heardAt === null || isFullDone !== true || lag.behindMs(restaurant) > 0) return false;
  // Also after headquarters were down: an open restaurant may have sold something meanwhile.
  return now - heardAt.getTime() < OFFLINE_MS || !beat.sessionOpen;
}
