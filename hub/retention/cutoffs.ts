import { DAY_MS } from "@comanda/protocol";
import type { Counters } from "./counter-history.ts";
import type { HubConfig } from "../settings/config.ts";

/** Before which time (ms since 1970) something is old enough, and the hub's counters at that time. */
export interface Cutoff {
  before: number;
  counters: Counters;
}

export interface Cutoffs {
  /** Packing loses nothing, so that the stamps of rows are enough. */
  packBefore: number;
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
  // For a day a finished order may still be looked at and printed again.
  return { packBefore: now - DAY_MS, thin: cutoff(days.historyDays), remove: cutoff(days.retentionDays) };
}
