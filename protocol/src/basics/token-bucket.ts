/** Allows `burst` at once, and `perSecond` after that. */
export interface Budget {
  burst: number;
  perSecond: number;
}

export type TokenBucket = ReturnType<typeof createTokenBucket>;

/** Enforces a budget. `monotonic` returns ms from a clock that never goes back. */
export function createTokenBucket({ burst, perSecond }: Budget, monotonic: () => number) {
  let tokens = burst;
  let at = monotonic();

  function refill(): void {
    const now = monotonic();
    tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
    at = now;
  }

  return {
    /** Takes one token, or `count`; false if there are not enough. A `count` above the burst is reduced to it. */
    take(count = 1): boolean {
      refill();
      const requested = Math.min(count, burst);
      if (tokens < requested) return false;
      tokens -= requested;
      return true;
    },
    /** Returns the ms until one token, or `count`, is available; 0 if it is. */
    waitMs(count = 1): number {
      refill();
      const missing = Math.min(count, burst) - tokens;
      return missing <= 0 ? 0 : Math.ceil((missing / perSecond) * 1000);
    },
    /** Empties the bucket, because the receiver's count was lower. */
    empty(): void {
      refill();
      tokens = 0;
    },
  };
}
