/** How a batch failed: with some answer or none, as too large for whoever took it, or with the longest wait there is. */
export type BatchFailure = "failed" | "too_large" | "hung";

export type BatchSize = ReturnType<typeof createBatchSize>;

/** The same first event in so many batches that failed: one of them may break the back-office. */
const FAILURES_BEFORE_HALVING = 3;

/**
 * How many events go to the back-office together. A batch that keeps failing is searched for the event to blame, half of
 * it after half; one that hung event by event, because each miss takes as long as that. Then batches grow again, twice as
 * large with each success.
 */
export function createBatchSize(max: number) {
  let limit = max;
  /** So many of the first events are left of the batch that failed: the one to blame is among them. */
  let suspects = 0;
  let isOneByOne = false;
  let failures = 0;
  let failedFirst: number | null = null;

  return {
    limit: (): number => limit,
    isFull: (): boolean => limit === max,
    /** So many of the first events are dealt with. */
    passed(count: number): void {
      failures = 0;
      suspects = Math.max(0, suspects - count);
      if (suspects === 0) limit = Math.min(max, limit * 2);
      else limit = isOneByOne ? 1 : Math.ceil(suspects / 2);
    },
    /**
     * A batch of `count` events from event `first` on failed. Answers what to do: try the same `later`, go on at once with
     * a `smaller` one, or, when it has only one event, try that `alone` from now on. A full batch that merely failed is
     * tried three times.
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
