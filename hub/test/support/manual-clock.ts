import { pino } from "pino";
import { realWorld, type World } from "../../platform/world.ts";

export interface ManualClock {
  /** Parts of a World whose time stands still until moved. */
  world: Pick<World, "clock" | "timers">;
  /** Advances wall and monotonic time and runs due timers in order. */
  advance(ms: number): void;
  /** Moves only the wall clock, as a person or a time server does. */
  jumpWall(ms: number): void;
  /** Simulates sleep: no timer runs, and uptime continues as on Linux. */
  sleep(ms: number): void;
  /** Simulates a stalled program: time passes, and due timers run with the next `advance`. */
  stall(ms: number): void;
  /** Simulates a power-off of `offMs` ms while the hub is stopped. The wall clock continues. */
  reboot(offMs: number): void;
}

interface Timer {
  id: number;
  dueAt: number;
  work: () => void;
}

/** Creates a clock that tests move. Sockets and files stay real; only the World's clock and timers are simulated. */
export function manualClock(startAt = Date.parse("2026-11-20T12:00:00Z")): ManualClock {
  const { timers: realTimers } = realWorld(pino({ level: "silent" }));
  let wall = startAt;
  let monotonic = 1_000;
  let sleptMs = 0;
  let bootCount = 1;
  let lastId = 0;
  const timers = new Map<number, Timer>();

  function nextDue(limit: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers.values()) {
      if (timer.dueAt <= limit && (next === undefined || timer.dueAt < next.dueAt)) next = timer;
    }
    return next;
  }

  function moveTo(at: number): void {
    wall += at - monotonic;
    monotonic = at;
  }

  return {
    world: {
      clock: {
        now: () => wall,
        monotonic: () => monotonic,
        uptime: () => (monotonic + sleptMs) / 1000,
        bootId: () => `boot-${bootCount}`,
      },
      timers: {
        setTimeout(work, ms) {
          const id = (lastId += 1);
          timers.set(id, { id, dueAt: monotonic + ms, work });
          return id as unknown as NodeJS.Timeout;
        },
        clearTimeout: (timer) => void timers.delete(timer as unknown as number),
        setImmediate: realTimers.setImmediate,
        // Sockets are real, so their time-outs are too.
        timeoutSignal: realTimers.timeoutSignal,
      },
    },
    advance(ms) {
      const target = monotonic + ms;
      for (let timer = nextDue(target); timer !== undefined; timer = nextDue(target)) {
        timers.delete(timer.id);
        moveTo(Math.max(timer.dueAt, monotonic));
        timer.work();
      }
      moveTo(target);
    },
    jumpWall(ms) {
      wall += ms;
    },
    sleep(ms) {
      sleptMs += ms;
      wall += ms;
    },
    stall: (ms) => moveTo(monotonic + ms),
    reboot(offMs) {
      timers.clear();
      bootCount += 1;
      wall += offMs;
      monotonic = 1_000;
      sleptMs = 0;
    },
  };
}
