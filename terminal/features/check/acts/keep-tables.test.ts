import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { manualWorld } from "../../../../clients/terminal/test/manual-world.ts";
import { keepTables } from "./keep-tables.ts";

it("[TOUCH-305] keeps tables for as long as it takes, and then lets go of those that it has", async () => {
  const world = manualWorld();
  /** Until when the hub has tables locked for this terminal, in ms. */
  const ends = new Map<number, number>();
  const terminal = {
    connection: () => ({ name: "online" as const }),
    async lockTable(id: number, ttlMs = 0) {
      if (id === 9) throw new Error("another terminal has it");
      ends.set(id, world.clock.monotonic() + ttlMs);
      return null;
    },
    async unlockTable(id: number) {
      if (!ends.delete(id)) throw new Error("another terminal has it");
    },
  };
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const kept = keepTables(terminal, [7, 8, 9], end, world.timers);
  for (let step = 0; step < 10; step++) {
    await setImmediate();
    world.advance(20_000);
    for (const until of ends.values()) expect(until).toBeGreaterThan(world.clock.monotonic());
    expect([...ends.keys()]).toEqual([7, 8]);
  }
  resolve();
  await kept;
  expect([...ends.keys()]).toEqual([]);
});
