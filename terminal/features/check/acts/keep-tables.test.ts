import { setImmediate } from "node:timers/promises";
import { TerminalRefusal } from "@comanda/terminal";
import { expect, it } from "vitest";
import { manualWorld } from "../../../../clients/terminal/test/manual-world.ts";
import { keepTables } from "./keep-tables.ts";

it("tables stay locked as long as needed, and are released at the end [TOUCH-305]", async () => {
  const world = manualWorld();
  /** When the hub's lock for this terminal expires, by table, in ms. */
  const ends = new Map<number, number>();
  const terminal = {
    connection: () => ({ name: "online" as const }),
    on: () => () => {},
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
  const locking = keepTables(terminal, [7, 8, 9], end, world.timers);
  for (let step = 0; step < 10; step++) {
    await setImmediate();
    world.advance(20_000);
    for (const until of ends.values()) expect(until).toBeGreaterThan(world.clock.monotonic());
    expect([...ends.keys()]).toEqual([7, 8]);
  }
  resolve();
  await locking;
  expect([...ends.keys()]).toEqual([]);
});

it("at the end a table whose lock is unanswered is released, and none that another terminal has by then [TOUCH-305]", async () => {
  const world = manualWorld();
  const letGo: number[] = [];
  let answers: Record<number, () => Promise<null>> = {};
  const terminal = {
    connection: () => ({ name: "online" as const }),
    on: () => () => {},
    lockTable: async (id: number) => (await answers[id]?.()) ?? null,
    unlockTable: async (id: number) => void letGo.push(id),
  };
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const locking = keepTables(terminal, [7, 8], end, world.timers);
  await setImmediate();
  answers = {
    7: () => Promise.reject(new Error("no answer in time")),
    8: () => Promise.reject(new TerminalRefusal("LEASE_HELD", "Ana has it")),
  };
  world.advance(30_000);
  await setImmediate();
  resolve();
  await locking;
  expect(letGo).toEqual([7]);
});

it("a table whose lock is still being requested at the end is released [TOUCH-305]", async () => {
  const world = manualWorld();
  const letGo: number[] = [];
  let answer: () => Promise<null> = () => Promise.reject(new TerminalRefusal("LEASE_HELD", "Ana has it"));
  const terminal = {
    connection: () => ({ name: "online" as const }),
    on: () => () => {},
    lockTable: () => answer(),
    unlockTable: async (id: number) => void letGo.push(id),
  };
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const locking = keepTables(terminal, [7], end, world.timers);
  await setImmediate();
  const { promise: late, resolve: arrive } = Promise.withResolvers<null>();
  answer = () => late;
  world.advance(30_000);
  resolve();
  await setImmediate();
  arrive(null);
  await locking;
  expect(letGo).toEqual([7]);
});

it("a table chosen offline is locked as soon as the hub is back [TOUCH-305]", async () => {
  const world = manualWorld();
  let comesBack = (): void => {};
  let name: "online" | "stopped" = "stopped";
  const tables: string[] = [];
  const terminal: Parameters<typeof keepTables>[0] = {
    connection: () => ({ name }),
    on(_name, listener) {
      comesBack = () => listener({ name } as never);
      return () => (comesBack = () => {});
    },
    async lockTable(id) {
      tables.push(`keep ${id}`);
      return null;
    },
    unlockTable: async (id) => void tables.push(`let go ${id}`),
  };
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const locking = keepTables(terminal, [7], end, world.timers);
  await setImmediate();
  expect(tables).toEqual([]);
  name = "online";
  comesBack();
  await setImmediate();
  expect(tables).toEqual(["keep 7"]);
  resolve();
  await locking;
  comesBack();
  expect(tables).toEqual(["keep 7", "let go 7"]);
});
