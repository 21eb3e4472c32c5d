/** `burst` at once, and `perSecond` from then on. */
export interface Budget {
  burst: number;
  perSecond: number;
}

export type TokenBucket = ReturnType<typeof createTokenBucket>;

/** Enforces a budget. `monotonic` is a clock in ms that never goes back. */
export function createTokenBucket({ burst, perSecond }: Budget, monotonic: () => number) {
  let left = burst;
  let at = monotonic();

  function refill(): void {
    const now = monotonic();
    left = Math.min(burst, left + ((now - at) / 1000) * perSecond);
    at = now;
  }

  return {
    /** Takes one, or `count`; false when there are not so many. More than the burst is taken as the whole of it. */
    take(count = 1): boolean {
      refill();
      const taken = Math.min(count, burst);
      if (left < taken) return false;
      left -= taken;
      return true;
    },
    /** Ms until one, or `count`, is available; 0 when it is. */
    waitMs(count = 1): number {
      refill();
      const missing = Math.min(count, burst) - left;
      return missing <= 0 ? 0 : Math.ceil((missing / perSecond) * 1000);
    },
    /** The other side counts differently: nothing is left. */
    empty(): void {
      refill();
      left = 0;
    },
  };
}
