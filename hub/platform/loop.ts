import type { World } from "./world.ts";

export interface Loop {
  start(): void;
  /** Runs the work as soon as the current run, if any, has ended. */
  wake(): void;
  /** Runs the work now and resolves when that run has ended. */
  runNow(): Promise<void>;
  /** Ends the timer and waits for the run in flight. */
  stop(): Promise<void>;
}

/**
 * Runs `work` every `everyMs`, never overlapping itself, counted from the end of the last run; a run that
 * throws is logged and the next one comes as usual.
 */
export function createLoop(world: World, name: string, everyMs: number, work: () => Promise<void> | void): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let wanted = false;
  let started = false;

  const run = async (): Promise<void> => {
    world.timers.clearTimeout(timer);
    do {
      wanted = false;
      try {
        await work();
      } catch (error) {
        world.log.error({ err: error, loop: name }, "a background run failed");
      }
    } while (wanted && started);
    running = null;
    if (started) timer = world.timers.setTimeout(begin, everyMs);
  };
  const begin = (): void => {
    running ??= run();
  };

  const wake = (): void => {
    if (!started) return;
    if (running === null) begin();
    else wanted = true;
  };

  return {
    start() {
      started = true;
      begin();
    },
    wake,
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
