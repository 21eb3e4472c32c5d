import { DAY_MS } from "@comanda/protocol";
import type { HubConfig } from "../settings/config.ts";
import type { Counters } from "./counter-history.ts";

/** By then a terminal that was away gets everything again anyway, and no kitchen works on a check any more. */
const SETTLED_DAYS = 7;

/** A terminal that was not seen for so long is admitted as a new one when it comes back. */
const UNSEEN_DAYS = 30;

/** Before which time (ms since 1970) something is old enough, and the hub's counters at that time. */
export interface Cutoff {
  before: number;
  counters: Counters;
}

export interface Cutoffs {
  /** Packing loses nothing, so that the stamps of rows are enough. */
  packBefore: number;
  /** Its stamps alone would do for packing; a `delta` cannot go back behind it. */
  settle: Cutoff;
  /** Terminals that were not seen since are forgotten, and what was printed before. */
  unseen: Cutoff;
  thin: Cutoff;
  remove: Cutoff;
}

/** What is old enough at `now`. */
export function retentionCutoffs(
  now: number,
  days: HubConfig["retention"],
  countersAt: (time: number) => Counters,
): Cutoffs {
  const cutoff = (age: number): Cutoff => ({ before: now - age * DAY_MS, counters: countersAt(now - age * DAY_MS) });
  return {
    // For a day a finished order may still be looked at and printed again.
    packBefore: now - DAY_MS,
    settle: cutoff(Math.min(SETTLED_DAYS, days.historyDays)),
    unseen: cutoff(Math.min(UNSEEN_DAYS, days.retentionDays)),
    thin: cutoff(days.historyDays),
    remove: cutoff(days.retentionDays),
  };
}
