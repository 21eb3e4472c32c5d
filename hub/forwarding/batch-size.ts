/** How a batch failed: refused for its size (`too_large`), timed out (`hung`), or in any other way. */
export type BatchFailure = "failed" | "too_large" | "hung";

/** After this many failures with the same first event, an event of the batch may be the cause. */
const FAILURES_BEFORE_HALVING = 3;

/**
 * Decides how many events are sent together. A batch that keeps failing is halved until the failing event is found. A batch
 * that timed out is sent event by event, because each further failure takes a whole timeout. Afterwards the size doubles with
 * each success until batches are full again.
 */
export function createBatchSize(max: number) {
  let limit = max;
  /** How many events of the failed batch are left. The failing event is one of them. */
  let suspects = 0;
  let isOneByOne = false;
  let failures = 0;
  let failedFirst: number | null = null;

  return {
    limit: (): number => limit,
    isFull: (): boolean => limit === max,
    /** Records that the first `count` events were processed. */
    passed(count: number): void {
      failures = 0;
      suspects = Math.max(0, suspects - count);
      if (suspects === 0) limit = Math.min(max, limit * 2);
      else limit = isOneByOne ? 1 : Math.ceil(suspects / 2);
    },
    /**
     * Records that a batch of `count` events starting with event `first` failed. Returns what to do: retry it `later`,
     * continue with a `smaller` batch, or send its only event `alone` from now on. A full batch gets three attempts unless
     * it was too large or timed out.
     */
    failed(first: number, count: number, failure: BatchFailure): "later" | "smaller" | "alone" {
      failures = failedFirst === first ? failures + 1 : 1;
      failedFirst = first;
      if (failure === "failed" && limit === max && failures < FAILURES_BEFORE_HALVING) return "later";
      if (count === 1) return "alone";
      suspects = count;
      isOneByOne = failure === "hung";
      limit = isOneByOne ? 1 : Math.floor(count / 2);
      return "smaller";
    },
  };
}
