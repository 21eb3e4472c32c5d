import type { HqCoverage } from "@comanda/protocol/headquarters.ts";
import type { LagWatch } from "./lag-watch.ts";
import { OFFLINE_MS } from "../presence/presence-of.ts";
import type { KnownRestaurant } from "./restaurants.ts";

/**
 * How far figures over these restaurants reach, of which `holes` are missing. A restaurant that was closed when it was last
 * heard of, with all it had said here, cannot have sold anything since: it is up to date. So is one that said something after
 * `complete`.
 */
export function coverageOf(
  restaurants: readonly KnownRestaurant[],
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

function isCurrent(restaurant: KnownRestaurant, lag: LagWatch, now: number): boolean {
  const { beat, heardAt, isFullDone } = restaurant;
  if (beat === null || heardAt === null || isFullDone !== true || lag.behindMs(restaurant) > 0) return false;
  // Also after headquarters were away: nobody can say yet what was sold meanwhile.
  return now - heardAt.getTime() < OFFLINE_MS || !beat.sessionOpen;
}
