/** Allows `burst` at once, and `perSecond` after that. */
export interface Budget {
  burst: number;
  perSecond: number;
}

export type TokenBucket = ReturnType<typeof createTokenBucket>;

/** Enforces a budget. `monotonic` returns ms from a clock that never goes back. */
export function createTokenBucket({ burst, perSecond }: Budget, monotonic: () => number) {
  let left = burst;
  let at = monotonic();

  function refill(): void {
    const now = monotonic();
    left = Math.min(burst, left + ((now - at) / 1000) * perSecond);
    at = now;
  }

  return {
    /** Takes one token, or `count`; false if there are not enough. A `count` above the burst is reduced to it. */
    take(count = 1): boolean {
      refill();
      const taken = Math.min(count, burst);
      if (left < taken) return false;
      left -= taken;
      return true;
    },
    /** Returns the ms until one token, or `count`, is available; 0 if it is. */
    waitMs(count = 1): number {
      refill();
      const missing = Math.min(count, burst) - left;
      return missing <= 0 ? 0 : Math.ceil((missing / perSecond) * 1000);
    },
    /** Empties the bucket, because the receiver's count was lower. */
    empty(): void {
      refill();
      left = 0;
    },
  };
}
