import { DAY_MS } from "@comanda/protocol";

/**
 * Returns since when a restaurant's data is kept (ms since 1970). Counts from the earlier of headquarters' clock and the
 * restaurant's `clock`, so that a clock that runs ahead removes nothing.
 */
export function retainedSince(now: number, clock: number, days: number): number {
  return Math.min(now, clock) - days * DAY_MS;
}
