import { DAY_MS } from "@comanda/protocol";

/**
 * Since when what a restaurant sent is kept (ms since 1970), counted from the earlier of headquarters' clock and its own, which
 * reads `clock`: one that is wrong removes nothing.
 */
export function keptSince(now: number, clock: number, days: number): number {
  return Math.min(now, clock) - days * DAY_MS;
}
