export const reconnectBackoff = { leastMs: 500, mostMs: 15_000 } as const;
export const retryBackoff = { leastMs: 500, mostMs: 15_000 } as const;
export const rebaseBackoff = { leastMs: 20, mostMs: 2_000 } as const;

/**
 * Returns the delay in ms before attempt number `attempt` (from 0): random between the minimum and a ceiling that doubles with
 * each attempt, so that forty tablets do not reconnect at the same moment. `random` is in [0, 1).
 */
export function backoffMs(
  { leastMs, mostMs }: { leastMs: number; mostMs: number },
  attempt: number,
  random: number,
): number {
  const ceiling = Math.min(mostMs, leastMs * 2 ** Math.min(attempt + 1, 30));
  return Math.round(leastMs + random * (ceiling - leastMs));
}
