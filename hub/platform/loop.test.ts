import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { manualClock } from "../test/support/manual-clock.ts";
import { createLoop } from "./loop.ts";
import { realWorld } from "./world.ts";

/** A loop of 60 s whose next work is due at `dueAt`, and the times at which it ran. */
function startLoop(work: (due: { at: number }) => void = () => {}) {
  const clock = manualClock(0);
  const world = { ...realWorld(pino({ level: "silent" })), ...clock.world };
  const ranAt: number[] = [];
  const due = { at: Infinity };
  const run = (): void => {
    ranAt.push(world.clock.now());
    due.at = Infinity;
    work(due);
  };
  const loop = createLoop(world, "test", 60_000, run, () => due.at - world.clock.now());
  loop.start();
  return { clock, loop, due, ranAt };
}

/** Waits until a run without asynchronous work has ended. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe("a loop with a due time", () => {
  it("a loop runs when work is due, and otherwise on its interval", async () => {
    const { clock, loop, due, ranAt } = startLoop();
    await turn();
    due.at = 250;
    loop.reschedule();
    clock.advance(250);
    await turn();
    clock.advance(60_000);
    await turn();
    await loop.stop();
    expect(ranAt).toEqual([0, 250, 60_250]);
  });

  it("a loop pauses after a failed run, however overdue its work is", async () => {
    const { clock, loop, ranAt } = startLoop((next) => {
      next.at = -1;
      throw new Error("the disk is full");
    });
    await turn();
    clock.advance(999);
    await turn();
    clock.advance(1);
    await turn();
    await loop.stop();
    expect(ranAt).toEqual([0, 1_000]);
  });

  it("a stopped loop does not run again", async () => {
    const { clock, loop, due, ranAt } = startLoop();
    await loop.stop();
    due.at = 1;
    loop.reschedule();
    clock.advance(120_000);
    await turn();
    expect(ranAt).toEqual([0]);
  });
});
