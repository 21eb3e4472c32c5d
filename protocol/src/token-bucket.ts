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
    /** Takes one; false when none is left. */
    take(): boolean {
      refill();
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    /** Ms until one is available; 0 when one is. */
    waitMs(): number {
      refill();
      return left >= 1 ? 0 : Math.ceil(((1 - left) / perSecond) * 1000);
    },
    /** The other side counts differently: nothing is left. */
    empty(): void {
      refill();
      left = 0;
    },
  };
}
