import type { World } from "../platform/world.ts";

const TICK_MS = 1000;
/** A tick that is later than this was not late by itself. */
const SLEPT_MS = 2000;

/** Calls `onWake` when the machine was asleep: between two ticks far more time has passed than the timer was set for. */
export function createSleepWatch({ clock, timers }: World, onWake: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let tickedAt = { monotonic: 0, uptime: 0 };

  function setTimer(): void {
    tickedAt = { monotonic: clock.monotonic(), uptime: clock.uptime() * 1000 };
    timer = timers.setTimeout(tick, TICK_MS);
  }

  function tick(): void {
    // Whether the monotonic clock or the uptime counts sleep depends on the system.
    const passed = Math.max(clock.monotonic() - tickedAt.monotonic, clock.uptime() * 1000 - tickedAt.uptime);
    if (passed > TICK_MS + SLEPT_MS) onWake();
    setTimer();
  }

  return { start: setTimer, stop: (): void => timers.clearTimeout(timer) };
}
