const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const scheduleMs = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR] as const;

export const MAX_ATTEMPTS = 8;
const LONGEST_WAIT_MS = 2 * HOUR;

/** How long to wait after a failed attempt (counted from 1); null after the last. */
export function backoffMs(attempt: number): number | null {
  if (attempt >= MAX_ATTEMPTS) return null;
  return scheduleMs[attempt - 1] ?? LONGEST_WAIT_MS;
}
