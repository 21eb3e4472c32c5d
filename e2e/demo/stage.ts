/** The clock and the output of the demo. */
export interface Stage {
  /** Prints one line: time, person, event. */
  log(actor: string, text: string): void;
  /** Waits for this many seconds of the service, which the demo's speed shortens. */
  pause(seconds: number): Promise<void>;
  /** Waits until `check` returns a value; throws after a minute, naming what it waited for. */
  until<T>(description: string, check: () => T | undefined | Promise<T | undefined>): Promise<T>;
}

const TIMEOUT_MS = 60_000;

export function createStage(speed: number): Stage {
  const start = performance.now();
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  return {
    log(actor, text) {
      const seconds = ((performance.now() - start) / 1_000).toFixed(1).padStart(6);
      console.log(`${seconds} s  ${actor.padEnd(11)} ${text}`);
    },
    async pause(seconds) {
      await wait((seconds * 1_000) / speed);
    },
    async until(description, check) {
      const deadline = performance.now() + TIMEOUT_MS;
      while (performance.now() < deadline) {
        const answer = await check();
        if (answer !== undefined) return answer;
        await wait(20);
      }
      throw new Error(`gave up waiting for ${description}`);
    },
  };
}
