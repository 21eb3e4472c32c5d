import type { FailureLog } from "./failure-log.ts";

/**
 * Calls `work` in `firstMs` from `start` on, and again after each end in as many milliseconds as it resolved with. `work`
 * throws nothing. `stop` lets it end that is under way.
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

/** Work that is done every so often from `start` on, and tried again after `everyMs` where it fails. */
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

  /** Does it as soon as what is under way has ended; one turn that has not begun serves all who ask for it. */
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
    /** Asked by work of many steps, to end between two of them. */
    isStopped: (): boolean => isStopped,
  };
}
