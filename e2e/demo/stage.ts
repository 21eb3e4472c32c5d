/** Time and voice of the demo. */
export interface Stage {
  /** Prints one line: when, who, what. */
  say(who: string, what: string): void;
  /** Waits so many seconds of the service. */
  pause(seconds: number): Promise<void>;
  /** Waits until `done` answers something; throws after a minute, naming what it waited for. */
  until<T>(what: string, done: () => T | undefined | Promise<T | undefined>): Promise<T>;
}

const PATIENCE_MS = 60_000;

export function createStage(speed: number): Stage {
  const start = performance.now();
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  return {
    say(who, what) {
      const seconds = ((performance.now() - start) / 1_000).toFixed(1).padStart(6);
      console.log(`${seconds} s  ${who.padEnd(11)} ${what}`);
    },
    async pause(seconds) {
      await wait((seconds * 1_000) / speed);
    },
    async until(what, done) {
      const deadline = performance.now() + PATIENCE_MS;
      while (performance.now() < deadline) {
        const answer = await done();
        if (answer !== undefined) return answer;
        await wait(20);
      }
      throw new Error(`gave up waiting: ${what}`);
    },
  };
}
