/** How a batch failed: refused for its size, timed out, or in any other way. */
export type BatchFailure = "failed" | "too_large" | "hung";

/** After so many failures with the same first event, one of the batch may break the back-office. */
const FAILURES_BEFORE_HALVING = 3;

/**
 * How many events go to the back-office together. A batch that keeps failing is halved until the event to blame is found;
 * one that hung is sent event by event, because each further failure costs a whole time-out. Then batches double with each
 * success until they are full again.
 */
export function createBatchSize(max: number) {
  let limit = max;
  /** How many events of the batch that failed are left: the one to blame is among them. */
  let suspects = 0;
  let isOneByOne = false;
  let failures = 0;
  let failedFirst: number | null = null;

  return {
    limit: (): number => limit,
    isFull: (): boolean => limit === max,
    /** The first `count` events are dealt with. */
    passed(count: number): void {
      failures = 0;
      suspects = Math.max(0, suspects - count);
      if (suspects === 0) limit = Math.min(max, limit * 2);
      else limit = isOneByOne ? 1 : Math.ceil(suspects / 2);
    },
    /**
     * A batch of `count` events that begins with event `first` failed. Returns what to do: send it again `later`, go on at
     * once with a `smaller` one, or, if it has only one event, send that `alone` from now on. A full batch gets three
     * attempts unless it was too large or hung.
     */
    failed(first: number, count: number, how: BatchFailure): "later" | "smaller" | "alone" {
      failures = failedFirst === first ? failures + 1 : 1;
      failedFirst = first;
      if (how === "failed" && limit === max && failures < FAILURES_BEFORE_HALVING) return "later";
      if (count === 1) return "alone";
      suspects = count;
      isOneByOne = how === "hung";
      limit = isOneByOne ? 1 : Math.floor(count / 2);
      return "smaller";
    },
  };
}
