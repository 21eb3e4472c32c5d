import type { World } from "../platform/world.ts";

const TICK_MS = 1000;
/** If a tick is late by more than this, the machine was asleep. */
const SLEPT_MS = 2000;

/** Calls `onWake` after the machine was asleep, when far more time than TICK_MS has passed between two ticks. */
export function createSleepWatch({ clock, timers }: World, onWake: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let tickedAt = { monotonic: 0, uptime: 0 };

  function setTimer(): void {
    tickedAt = { monotonic: clock.monotonic(), uptime: clock.uptime() * 1000 };
    timer = timers.setTimeout(tick, TICK_MS);
  }

  function tick(): void {
    // Whether the monotonic clock or the uptime includes sleep depends on the operating system.
    const passed = Math.max(clock.monotonic() - tickedAt.monotonic, clock.uptime() * 1000 - tickedAt.uptime);
    if (passed > TICK_MS + SLEPT_MS) onWake();
    setTimer();
  }

  return { start: setTimer, stop: (): void => timers.clearTimeout(timer) };
}
