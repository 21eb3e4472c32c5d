import type { FailureLog } from "./failure-log.ts";

/**
 * Calls `work` `firstMs` after `start`, then again and again. Each call resolves with the ms to wait before the next one and
 * must not throw. `stop` waits for the current call.
 */
export function createLoop(work: () => Promise<number>, firstMs = 0) {
  let isStopped = false;
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => void (running = turn());

  async function turn(): Promise<void> {
    const ms = await work();
    if (!isStopped) timer = setTimeout(begin, ms);
  }

  return {
    start: (): void => void (timer ??= setTimeout(begin, firstMs)),
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

export type Job = ReturnType<typeof createJob>;

/** Creates a job that runs `work` every `everyMs` from `start` on. A failed run is logged and retried at the next turn. */
export function createJob(
  work: () => Promise<void>,
  { firstMs = 0, everyMs, failures }: { firstMs?: number; everyMs: number; failures: FailureLog },
) {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function turn(): Promise<void> {
    next = null;
    try {
      await work();
      failures.worked();
    } catch (error) {
      failures.failed(error);
    }
  }

  /** Runs the work after the current turn. Callers share a turn that has not begun yet. */
  function run(): Promise<void> {
    next ??= running.then(turn);
    running = next;
    return running;
  }

  const loop = createLoop(async () => {
    await run();
    return everyMs;
  }, firstMs);
  return {
    start: loop.start,
    run,
    async stop(): Promise<void> {
      isStopped = true;
      await loop.stop();
      await running;
    },
    /** Work of many steps checks this between steps, to end early. */
    isStopped: (): boolean => isStopped,
  };
}
