import type { AgeMark } from "./age-marks.ts";
import type { RetentionDays } from "./retention-days.ts";

/** Before which time (ms since 1970) something is old enough, and how far the hub's counters were then. */
export interface Cutoff {
  before: number;
  mark: AgeMark;
}

export interface Cutoffs {
  /** Loses nothing, so that the stamps of rows are enough. */
  packBefore: number;
  thin: Cutoff;
  remove: Cutoff;
}

const DAY_MS = 86_400_000;

/** What is old enough at `now`; `markAt` tells how far the hub's counters were at a time. */
export function retentionCutoffs(now: number, days: RetentionDays, markAt: (time: number) => AgeMark): Cutoffs {
  const cutoff = (age: number): Cutoff => ({ before: now - age * DAY_MS, mark: markAt(now - age * DAY_MS) });
  // A finished order is looked at and printed again for a day; then it rests.
  return { packBefore: now - DAY_MS, thin: cutoff(days.historyDays), remove: cutoff(days.retentionDays) };
}
