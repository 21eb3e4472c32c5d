import { expect } from "vitest";

/** Asks until the answer is as expected, for as long as a busy machine may need. */
export function eventually<T>(ask: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(ask, { timeout: 15_000, interval: 20 });
}
