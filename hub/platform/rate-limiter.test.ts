import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRateLimiter } from "./rate-limiter.ts";

const MINUTE = 60_000;

describe("the rate limiter", () => {
  it("the rate limiter admits its maximum, and never more in any 60 seconds [EXT-7]", () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), pauses, (max, waits) => {
        let now = 0;
        const limiter = createRateLimiter(max, () => now);
        const admitted: number[] = [];
        for (const wait of waits) {
          now += wait;
          const inWindow = admitted.filter((at) => at > now - MINUTE).length;
          const isAdmitted = limiter.admits("peer");
          expect(isAdmitted).toBe(inWindow < max);
          if (isAdmitted) admitted.push(now);
        }
      }),
    );
  });

  it("subjects without requests for a minute are forgotten [EXT-7]", () => {
    let now = 0;
    const limiter = createRateLimiter(3, () => now);
    for (let peer = 0; peer < 1000; peer += 1) limiter.admits(`10.0.0.${peer}`);
    now += MINUTE - 1;
    limiter.admits("10.0.0.5");
    expect(limiter.size()).toBe(1000);
    now += 1;
    limiter.admits("10.0.0.6");
    expect(limiter.size()).toBe(2);
  });

  it("a request that was given back does not count [BO-106]", () => {
    let now = 100_000;
    const limiter = createRateLimiter(2, () => now);
    expect([limiter.admits("a"), limiter.admits("a"), limiter.admits("a")]).toEqual([true, true, false]);
    expect(limiter.hasRemaining("a")).toBe(false);
    limiter.giveBack("a");
    expect([limiter.hasRemaining("a"), limiter.hasRemaining("b")]).toEqual([true, true]);
    expect([limiter.admits("a"), limiter.admits("a")]).toEqual([true, false]);
    limiter.giveBack("nobody");
    now += MINUTE;
    expect(limiter.hasRemaining("a")).toBe(true);
    limiter.admits("a");
    for (let i = 0; i < 3; i += 1) limiter.giveBack("a");
    expect([limiter.admits("a"), limiter.admits("a"), limiter.admits("a")]).toEqual([true, true, false]);
    limiter.giveBack("a");
    limiter.giveBack("a");
    limiter.admits("b");
    expect(limiter.size()).toBe(1);
  });

  it("the rate limiter stores no more numbers than a minute of requests [EXT-7]", () => {
    let now = 0;
    const limiter = createRateLimiter(100, () => now);
    for (let request = 0; request < 100_000; request += 1) {
      now += MINUTE / 100;
      expect(limiter.admits("peer")).toBe(true);
    }
    expect(limiter.held("peer")).toBeLessThan(300);
  });
});
