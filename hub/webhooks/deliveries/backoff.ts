import { HOUR_MS, MINUTE_MS } from "@comanda/protocol";

/** Back-off after each failed attempt except the last. */
export const WAITS_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS];

export const MAX_ATTEMPTS = WAITS_MS.length + 1;

/** Returns the back-off after a failed attempt (counted from 1), or null after the last. */
export function backoffMs(attempt: number): number | null {
  return WAITS_MS[attempt - 1] ?? null;
}
