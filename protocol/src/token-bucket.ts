/** `burst` at once, and `perSecond` from then on. */
export interface Budget {
  burst: number;
  perSecond: number;
}

export type TokenBucket = ReturnType<typeof createTokenBucket>;

/** Counts what is spent of a budget. `monotonic` is a clock in ms that never goes back. */
export function createTokenBucket({ burst, perSecond }: Budget, monotonic: () => number) {
  let left = burst;
  let at = monotonic();

  function refill(): void {
    const now = monotonic();
    left = Math.min(burst, left + ((now - at) / 1000) * perSecond);
    at = now;
  }

  return {
    /** Spends one; false when there is none left. */
    take(): boolean {
      refill();
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    /** In how many ms there will be one to spend; 0 when there is one. */
    waitMs(): number {
      refill();
      return left >= 1 ? 0 : Math.ceil(((1 - left) / perSecond) * 1000);
    },
    /** The other side counts differently: start again with nothing. */
    empty(): void {
      refill();
      left = 0;
    },
  };
}
