import type { FailureLog } from "./failure-log.ts";

/**
 * Calls `work` in `firstMs`, and again after each end in as many milliseconds as it resolved with. `work` throws nothing.
 * `stop` lets it end that is under way.
 */
export function startLoop(work: () => Promise<number>, firstMs = 0): { stop(): Promise<void> } {
  let isStopped = false;
  let running = Promise.resolve();
  const begin = (): void => void (running = turn());
  let timer = setTimeout(begin, firstMs);

  async function turn(): Promise<void> {
    const ms = await work();
    if (!isStopped) timer = setTimeout(begin, ms);
  }

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

export interface Job {
  start(): void;
  stop(): Promise<void>;
  /** Asked by work of many steps, to end between two of them. */
  isStopped(): boolean;
}

/** Work that is done every so often from `start` on, and tried again after `everyMs` where it fails. */
export function createJob(
  work: () => Promise<void>,
  { firstMs = 0, everyMs, failures }: { firstMs?: number; everyMs: number; failures: FailureLog },
): Job {
  let loop: ReturnType<typeof startLoop> | undefined;
  let isStopped = false;

  async function turn(): Promise<number> {
    try {
      await work();
      failures.worked();
    } catch (error) {
      failures.failed(error);
    }
    return everyMs;
  }

  return {
    start: () => void (loop ??= startLoop(turn, firstMs)),
    async stop() {
      isStopped = true;
      await loop?.stop();
    },
    isStopped: () => isStopped,
  };
}
