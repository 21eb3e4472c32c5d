import { MINUTE_MS } from "../basics/durations.ts";
/** From when on a dish is slow, and late; ms since it was sent. */
export interface AgeLimits {
  slowMs: number;
  lateMs: number;
}

/** Of a dish of which too little is known. */
export const generalAgeLimits: AgeLimits = { slowMs: 8 * MINUTE_MS, lateMs: 15 * MINUTE_MS };
const SHORTEST_MS = 4 * MINUTE_MS;
const LONGEST_MS = 30 * MINUTE_MS;

/** Slow is a quarter over the usual time, late double of it; the usual time counts as 4 minutes at least, 30 at most. */
export function ageLimitsOf(usualMs: number | undefined): AgeLimits {
  if (usualMs === undefined) return generalAgeLimits;
  const target = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, usualMs));
  return { slowMs: target * 1.25, lateMs: target * 2 };
}

/** The limits of several dishes that go out together are those of the slowest of them. */
export function slowestLimits(limits: readonly AgeLimits[]): AgeLimits {
  if (limits.length === 0) return generalAgeLimits;
  return {
    slowMs: Math.max(...limits.map(({ slowMs }) => slowMs)),
    lateMs: Math.max(...limits.map(({ lateMs }) => lateMs)),
  };
}
