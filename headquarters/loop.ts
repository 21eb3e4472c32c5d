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
