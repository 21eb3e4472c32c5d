import { expect } from "vitest";

/** Polls until the answer is as expected, with time for a busy machine. */
export function eventually<T>(ask: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(ask, { timeout: 15_000, interval: 20 });
}
