import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { isMainThread } from "node:worker_threads";

/**
 * Preloaded into a program (`NODE_OPTIONS=--import …`): each SIGUSR2 advances its wall clock, monotonic clock and uptime by
 * this many ms and runs the timers that fall due. Timeouts inside Node itself, such as a socket's, are not affected.
 */
const STEP_MS = 15_000;

interface PendingTimer {
  dueAt: number;
  run: () => void;
}

if (isMainThread) {
  const real = {
    now: Date.now.bind(Date),
    monotonic: performance.now.bind(performance),
    uptime: os.uptime.bind(os),
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
  };
  const pendingTimers = new Map<unknown, PendingTimer>();
  let offsetMs = 0;

  Date.now = () => real.now() + offsetMs;
  performance.now = () => real.monotonic() + offsetMs;
  os.uptime = () => real.uptime() + offsetMs / 1000;
  syncBuiltinESMExports();

  const setMovableTimeout = (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): NodeJS.Timeout => {
    const timer = real.setTimeout(() => {
      pendingTimers.delete(timer);
      work(...args);
    }, ms);
    pendingTimers.set(timer, { dueAt: performance.now() + ms, run: () => work(...args) });
    return timer;
  };
  globalThis.setTimeout = Object.assign(setMovableTimeout, {
    __promisify__: real.setTimeout.__promisify__,
  }) as typeof globalThis.setTimeout;
  globalThis.clearTimeout = (timer) => {
    pendingTimers.delete(timer);
    real.clearTimeout(timer);
  };

  process.on("SIGUSR2", () => {
    offsetMs += STEP_MS;
    const due = [...pendingTimers].filter(([, { dueAt }]) => dueAt <= performance.now());
    for (const [timer, { run }] of due.toSorted(([, a], [, b]) => a.dueAt - b.dueAt)) {
      // An earlier timer may have cleared this one.
      if (!pendingTimers.delete(timer)) continue;
      real.clearTimeout(timer as NodeJS.Timeout);
      run();
    }
  });
}
