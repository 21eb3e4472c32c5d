import { describe, expect, it } from "vitest";
import { createHubClock } from "./hub-clock.ts";

describe("createHubClock", () => {
  it("the hub clock is the device's own until the hub has sent its time [CLIENT-8]", () => {
    expect(createHubClock({ now: () => 77, monotonic: () => 5 }).now()).toBe(77);
  });

  it("the hub clock follows the hub, whatever the device's wall clock does [CLIENT-8]", () => {
    const device = { wall: 5_000_000, monotonic: 1_000 };
    const clock = createHubClock({ now: () => device.wall, monotonic: () => device.monotonic });
    clock.learn(new Date(100_000).toISOString(), 900, 1_100);
    device.wall = 1;
    device.monotonic = 3_000;
    expect(clock.now()).toBe(102_000);
  });

  it("the hub clock uses the sample with the shortest round trip among the last eight [CLIENT-8]", () => {
    const clock = createHubClock({ now: () => 0, monotonic: () => 10_000 });
    clock.learn(new Date(50_000).toISOString(), 0, 10);
    clock.learn(new Date(99_000).toISOString(), 0, 400);
    expect(clock.now()).toBe(50_000 - 5 + 10_000);
    for (let sample = 0; sample < 7; sample += 1) clock.learn(new Date(99_000).toISOString(), 0, 400);
    expect(clock.now()).toBe(99_000 - 200 + 10_000);
    clock.forget();
    expect(clock.now()).toBe(0);
  });

  it.each([8, -8])("the hub clock follows at once when the hub's clock is set by %i days [CLOCK-22]", (days) => {
    const clock = createHubClock({ now: () => 0, monotonic: () => 10_000 });
    const start = Date.parse("2026-11-20T12:00:00Z");
    clock.learn(new Date(start).toISOString(), 0, 10);
    clock.learn(new Date(start + days * 86_400_000).toISOString(), 0, 400);
    expect(clock.now()).toBe(start + days * 86_400_000 - 200 + 10_000);
  });
});
