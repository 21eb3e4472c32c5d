/** A change of the clock by which the hub stamps. Times are ms since 1970. */
export interface ClockSet {
  byMs: number;
  /** Stamps from before are of another boot, and stay. */
  since: number;
  now: number;
  /** Stamps between this time and now were made after the clock was set. */
  recently: number;
}

/** SQL for the rows that were stamped before the clock was set. */
export const IS_OLDER = "created_at >= @since AND NOT created_at BETWEEN @recently AND @now";
