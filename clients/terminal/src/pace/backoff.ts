export const reconnectBackoff = { minMs: 500, maxMs: 15_000 } as const;
export const retryBackoff = { minMs: 500, maxMs: 15_000 } as const;
export const rebaseBackoff = { minMs: 20, maxMs: 2_000 } as const;

/**
 * Returns the delay in ms before attempt number `attempt` (from 0): random between the minimum and a ceiling that doubles with
 * each attempt, so that forty tablets do not reconnect at the same moment. `random` is in [0, 1).
 */
export function backoffMs({ minMs, maxMs }: { minMs: number; maxMs: number }, attempt: number, random: number): number {
  const ceiling = Math.min(maxMs, minMs * 2 ** Math.min(attempt + 1, 30));
  return Math.round(minMs + random * (ceiling - minMs));
}
