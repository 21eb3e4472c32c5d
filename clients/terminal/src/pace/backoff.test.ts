import fc from "fast-check";
import { expect, it } from "vitest";
import { backoffMs, reconnectBackoff } from "./backoff.ts";

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

it("the backoff waits between 0.5 s and 15 s, with a ceiling that doubles [CLIENT-2]", () => {
  fc.assert(
    fc.property(fc.nat(10_000), random, (attempt, drawn) => {
      const waitMs = backoffMs(reconnectBackoff, attempt, drawn);
      expect(waitMs).toBeGreaterThanOrEqual(500);
      expect(waitMs).toBeLessThanOrEqual(Math.min(15_000, 1_000 * 2 ** Math.min(attempt, 20)));
    }),
  );
});

it("the backoff spreads the attempts of many terminals over the whole span [CLIENT-2]", () => {
  expect([0, 0.5, 0.999_99].map((drawn) => backoffMs(reconnectBackoff, 9, drawn))).toEqual([500, 7_750, 15_000]);
});
