import { DAY_MS } from "@comanda/protocol";
import type { HubConfig } from "../settings/config.ts";
import type { Counters } from "./counter-history.ts";

/** After this, a terminal that was away reloads everything anyway and no kitchen works on the check. */
const SETTLED_DAYS = 7;

/** A terminal not seen for this long is admitted as a new one when it returns. */
const UNSEEN_DAYS = 30;

/** The time before which something is old enough (ms since 1970), and the hub's counters then. */
export interface Cutoff {
  before: number;
  counters: Counters;
}

export interface Cutoffs {
  /** Only a time: packing loses nothing, so timestamps are enough. */
  packBefore: number;
  /** Timestamps would be enough for packing, but a `delta` cannot go back further than this. */
  settle: Cutoff;
  /** For deleting terminals not seen since, and finished print jobs. */
  unseen: Cutoff;
  thin: Cutoff;
  remove: Cutoff;
}

/** Returns the cutoffs at `now`. */
export function retentionCutoffs(
  now: number,
  days: HubConfig["retention"],
  countersAt: (time: number) => Counters,
): Cutoffs {
  const cutoff = (age: number): Cutoff => ({ before: now - age * DAY_MS, counters: countersAt(now - age * DAY_MS) });
  return {
    // A finished order may still be viewed and reprinted for a day.
    packBefore: now - DAY_MS,
    settle: cutoff(Math.min(SETTLED_DAYS, days.historyDays)),
    unseen: cutoff(Math.min(UNSEEN_DAYS, days.retentionDays)),
    thin: cutoff(days.historyDays),
    remove: cutoff(days.retentionDays),
  };
}
