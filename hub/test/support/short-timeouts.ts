import { pino } from "pino";
import { realWorld, type World } from "../../platform/world.ts";

/** Returns timers whose time-outs fire after a tenth of their time, and the requested times in ms. */
export function shortTimeouts(): { timers: World["timers"]; waits: number[] } {
  const { timers } = realWorld(pino({ level: "silent" }));
  const waits: number[] = [];
  return {
    waits,
    timers: {
      ...timers,
      timeoutSignal(ms) {
        waits.push(ms);
        return timers.timeoutSignal(ms / 10);
      },
    },
  };
}
