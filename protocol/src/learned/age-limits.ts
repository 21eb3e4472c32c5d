import { MINUTE_MS } from "../basics/durations.ts";
/** When a dish counts as slow and as late, in ms since it was sent. */
export interface AgeLimits {
  slowMs: number;
  lateMs: number;
}

/** Limits for a dish with too little history. */
export const generalAgeLimits: AgeLimits = { slowMs: 8 * MINUTE_MS, lateMs: 15 * MINUTE_MS };
const SHORTEST_MS = 4 * MINUTE_MS;
const MAX_MS = 30 * MINUTE_MS;

/** Slow is 1.25 times the usual time, late twice. The usual time is clamped to 4 to 30 minutes. */
export function ageLimitsOf(usualMs: number | undefined): AgeLimits {
  if (usualMs === undefined) return generalAgeLimits;
  const target = Math.min(MAX_MS, Math.max(SHORTEST_MS, usualMs));
  return { slowMs: target * 1.25, lateMs: target * 2 };
}

/** Returns the limits for dishes that go out together: those of the slowest one. */
export function slowestLimits(limits: readonly AgeLimits[]): AgeLimits {
  if (limits.length === 0) return generalAgeLimits;
  return {
    slowMs: Math.max(...limits.map(({ slowMs }) => slowMs)),
    lateMs: Math.max(...limits.map(({ lateMs }) => lateMs)),
  };
}
