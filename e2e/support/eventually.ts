import { expect } from "vitest";

/** Polls until the value is as expected, with enough time for a busy machine. */
export function eventually<T>(ask: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(ask, { timeout: 15_000, interval: 20 });
}
