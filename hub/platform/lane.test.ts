import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { manualClock } from "../test/support/manual-clock.ts";
import { until } from "../test/support/until.ts";
import { realWorld } from "./world.ts";
import { createLane, LaneBusy, type LaneLimits } from "./lane.ts";

function startLane(limits: LaneLimits) {
  const clock = manualClock();
  const lane = createLane({ ...realWorld(pino({ level: "silent" })), ...clock.world }, limits);
  const started: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    clock,
    started,
    refused,
    /** Starts work that runs until the test ends it. Its name begins with its peer. */
    run(name: string): void {
      const work = (): Promise<void> => {
        started.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      };
      lane.run(name.slice(0, 1), work).catch((error: unknown) => {
        if (!(error instanceof LaneBusy)) throw error;
        refused.push(name);
      });
    },
    async end(name: string): Promise<void> {
      const before = started.length;
      ends.get(name)?.();
      await until("the next to begin", () => started.length > before);
    },
    lane,
  };
}

describe("a lane", () => {
  it("a lane limits concurrent work in total and per peer, and lets peers take turns [BO-104]", async () => {
    const { run, end, started, refused } = startLane({ concurrency: 3, perPeer: 2, waiting: 10 });
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) run(name);
    expect(started).toEqual(["a1", "a2", "b1"]);
    await end("a1");
    await end("b1");
    await end("a2");
    expect(started).toEqual(["a1", "a2", "b1", "a3", "b2", "c1"]);
    await end("c1");
    expect(started.at(-1)).toBe("a4");
    expect(refused).toEqual([]);
  });

  it("a full lane refuses the newest entry of the peer with the longest queue [BO-104]", async () => {
    const { run, started, refused } = startLane({ concurrency: 1, perPeer: 1, waiting: 3 });
    for (const name of ["a0", "a1", "a2", "a3", "b1"]) run(name);
    await until("one to be refused", () => refused.length === 1);
    expect(refused).toEqual(["a3"]);
    run("a4");
    await until("another to be refused", () => refused.length === 2);
    expect(refused).toEqual(["a3", "a4"]);
    expect(started).toEqual(["a0"]);
  });

  it("work that has waited 6 s for its lane is refused, and the others continue [BO-104]", async () => {
    const { run, end, clock, started, refused } = startLane({ concurrency: 1, perPeer: 1, waiting: 10 });
    run("a1");
    run("b1");
    clock.advance(5_000);
    run("b2");
    clock.advance(1_000);
    await until("one to be refused", () => refused.length === 1);
    expect(refused).toEqual(["b1"]);
    await end("a1");
    expect(started).toEqual(["a1", "b2"]);
  });

  it("failed work frees its place in the lane [BO-104]", async () => {
    const { lane } = startLane({ concurrency: 1, perPeer: 1, waiting: 1 });
    await expect(lane.run("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await lane.run("a", () => Promise.resolve("done"))).toBe("done");
  });
});
