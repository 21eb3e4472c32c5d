import type { World } from "./world.ts";

/** The shortest pause after a failed run, even if work is due. */
const FAILED_WAIT_MS = 1_000;

export interface Loop {
  start(): void;
  /** Runs the work as soon as the current run, if any, has ended. */
  wake(): void;
  /** Sets the timer again, because `untilDueMs` may have changed. */
  reschedule(): void;
  /** Runs the work now and resolves when that run has ended. */
  runNow(): Promise<void>;
  /** Stops the timer and waits for the current run. */
  stop(): Promise<void>;
}

/**
 * Runs `work` every `everyMs`, counted from the end of the last run, or sooner as `untilDueMs` says. Runs never overlap. Errors
 * of a run or of `untilDueMs` are logged and do not stop the loop.
 */
export function createLoop(
  world: World,
  name: string,
  everyMs: number,
  work: () => Promise<void> | void,
  untilDueMs: () => number = () => everyMs,
): Loop {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  /** The current run, or the last one. */
  let running: Promise<void> | undefined;
  let isWoken = false;
  let started = false;

  const run = async (): Promise<void> => {
    world.timers.clearTimeout(timer);
    let minMs: number;
    do {
      isWoken = false;
      minMs = 1;
      try {
        await work();
      } catch (error) {
        minMs = FAILED_WAIT_MS;
        world.log.error({ err: error, loop: name }, "a background run failed");
      }
    } while (isWoken && started);
    isRunning = false;
    schedule(minMs);
  };
  const begin = (): void => {
    if (isRunning) return;
    isRunning = true;
    running = run();
  };
  const schedule = (minMs: number): void => {
    world.timers.clearTimeout(timer);
    if (started) timer = world.timers.setTimeout(begin, Math.min(everyMs, Math.max(minMs, dueMs())));
  };
  // A damaged data file may make `untilDueMs` throw; the loop continues anyway.
  const dueMs = (): number => {
    try {
      return untilDueMs();
    } catch (error) {
      world.log.error({ err: error, loop: name }, "when a background run is due cannot be read");
      return everyMs;
    }
  };

  const wake = (): void => {
    if (!started) return;
    if (isRunning) isWoken = true;
    else begin();
  };

  return {
    start() {
      started = true;
      begin();
    },
    wake,
    reschedule() {
      if (!isRunning) schedule(1);
    },
    async runNow() {
      wake();
      await running;
    },
    async stop() {
      started = false;
      world.timers.clearTimeout(timer);
      await running;
    },
  };
}
