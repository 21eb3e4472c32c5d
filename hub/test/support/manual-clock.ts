import { pino } from "pino";
import { realWorld, type World } from "../../platform/world.ts";

export interface ManualClock {
  /** Parts of a World that stand still until they are moved. */
  world: Pick<World, "clock" | "timers">;
  /** Moves time on, wall and monotonic, running every timer that falls due in its order. */
  advance(ms: number): void;
  /** Moves the wall clock alone, as a person or a time server does. */
  jumpWall(ms: number): void;
  /** The machine sleeps: no timer runs, and the uptime goes on as it does on Linux. */
  sleep(ms: number): void;
  /** The program stands still while time goes on: what falls due runs with the next `advance`. */
  stall(ms: number): void;
  /** The machine is switched off with its hub stopped, and on again after so long, its wall clock having gone on. */
  reboot(offMs: number): void;
}

interface Timer {
  id: number;
  dueAt: number;
  work: () => void;
}

/** A clock that a test moves. Sockets and files stay real; only what the hub asks its world for stands still. */
export function manualClock(startAt = Date.parse("2026-11-20T12:00:00Z")): ManualClock {
  const { timers: realTimers } = realWorld(pino({ level: "silent" }));
  let wall = startAt;
  let monotonic = 1_000;
  let asleep = 0;
  let boots = 1;
  let lastId = 0;
  const timers = new Map<number, Timer>();

  function nextDue(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers.values()) {
      if (timer.dueAt <= until && (next === undefined || timer.dueAt < next.dueAt)) next = timer;
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
        uptime: () => (monotonic + asleep) / 1000,
        bootId: () => `boot-${boots}`,
      },
      timers: {
        setTimeout(work, ms) {
          const id = (lastId += 1);
          timers.set(id, { id, dueAt: monotonic + ms, work });
          return id as unknown as NodeJS.Timeout;
        },
        clearTimeout: (timer) => void timers.delete(timer as unknown as number),
        setImmediate: realTimers.setImmediate,
        // Sockets stay real, so what they wait for does too.
        timeoutSignal: realTimers.timeoutSignal,
      },
    },
    advance(ms) {
      const until = monotonic + ms;
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        timers.delete(timer.id);
        moveTo(Math.max(timer.dueAt, monotonic));
        timer.work();
      }
      moveTo(until);
    },
    jumpWall(ms) {
      wall += ms;
    },
    sleep(ms) {
      asleep += ms;
      wall += ms;
    },
    stall: (ms) => moveTo(monotonic + ms),
    reboot(offMs) {
      timers.clear();
      boots += 1;
      wall += offMs;
      monotonic = 1_000;
      asleep = 0;
    },
  };
}
