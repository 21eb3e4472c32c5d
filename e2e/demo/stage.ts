/** The clock and the output of the demo. */
export interface Stage {
  /** Prints one line: time, person, event. */
  say(who: string, what: string): void;
  /** Waits for this many seconds of the service, which the demo's speed shortens. */
  pause(seconds: number): Promise<void>;
  /** Waits until `done` returns a value; throws after a minute, naming what it waited for. */
  until<T>(what: string, done: () => T | undefined | Promise<T | undefined>): Promise<T>;
}

const TIMEOUT_MS = 60_000;

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
      const deadline = performance.now() + TIMEOUT_MS;
      while (performance.now() < deadline) {
        const answer = await done();
        if (answer !== undefined) return answer;
        await wait(20);
      }
      throw new Error(`gave up waiting for ${what}`);
    },
  };
}
