import type { World } from "../platform/world.ts";

/** What the machine's uptime gains on the monotonic clock beyond this was sleep. */
const SLEPT_MS = 5_000;

/** How long this run of the hub has lasted, by the machine's clocks that never jump. */
export function createRunTime(clock: World["clock"]) {
  const startedAt = { monotonic: clock.monotonic(), uptimeMs: uptimeMs() };
  let asleepMs = 0;

  return { elapsed, uptimeMs };

  function uptimeMs(): number {
    return clock.uptime() * 1000;
  }

  /** Milliseconds since the start, time asleep included. */
  function elapsed(): number {
    const awakeMs = clock.monotonic() - startedAt.monotonic;
    const gainedMs = uptimeMs() - startedAt.uptimeMs - awakeMs;
    if (gainedMs > asleepMs + SLEPT_MS) asleepMs = gainedMs;
    return awakeMs + asleepMs;
  }
}
