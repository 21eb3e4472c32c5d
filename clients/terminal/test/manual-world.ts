import type { TerminalWorld } from "../src/world.ts";

/** A world whose time is controlled by the test. */
export interface ManualWorld extends TerminalWorld {
  advance(ms: number): void;
  /** Sets how much time each reading of the monotonic clock takes, in ms. */
  slowDown(msPerLook: number): void;
}

export function manualWorld(): ManualWorld {
  let time = 0;
  let msPerLook = 0;
  let ids = 0;
  let timers: { at: number; work: () => void }[] = [];
  const start = Date.parse("2026-11-21T20:00:00.000Z");
  return {
    clock: { now: () => start + time, monotonic: () => (time += msPerLook) },
    random: () => 0,
    uuid: () => `00000000-0000-4000-9000-${String((ids += 1)).padStart(12, "0")}`,
    timers: {
      after(ms, work) {
        const timer = { at: time + ms, work };
        timers.push(timer);
        return () => {
          timers = timers.filter((other) => other !== timer);
        };
      },
    },
    slowDown(ms) {
      msPerLook = ms;
    },
    advance(ms) {
      time += ms;
      for (let due = nextDue(); due !== undefined; due = nextDue()) {
        timers = timers.filter((other) => other !== due);
        due.work();
      }
    },
  };

  function nextDue() {
    return timers.filter((timer) => timer.at <= time).toSorted((one, other) => one.at - other.at)[0];
  }
}
