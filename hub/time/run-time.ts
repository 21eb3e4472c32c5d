import type { World } from "../platform/world.ts";

/** If the uptime gains more than this on the monotonic clock, the machine was asleep. */
const SLEPT_MS = 5_000;

/** Measures how long this run of the hub has lasted, with clocks that never jump. */
export function createRunTime(clock: World["clock"]) {
  const startedAt = { monotonic: clock.monotonic(), uptimeMs: uptimeMs() };
  let asleepMs = 0;

  return { elapsed, uptimeMs };

  function uptimeMs(): number {
    return clock.uptime() * 1000;
  }

  /** Milliseconds since the start, including sleep. */
  function elapsed(): number {
    const awakeMs = clock.monotonic() - startedAt.monotonic;
    const gainedMs = uptimeMs() - startedAt.uptimeMs - awakeMs;
    if (gainedMs > asleepMs + SLEPT_MS) asleepMs = gainedMs;
    return awakeMs + asleepMs;
  }
}
