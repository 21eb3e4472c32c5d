import { describe, expect, it } from "vitest";
import { itemState, pluginRecord, storedOrder, syncPage, table, ticket } from "../../../test/builders.ts";
import { manualWorld } from "../../../test/manual-world.ts";
import { memoryStorage, type CacheRecord } from "../../outbox/queue/outbox-storage.ts";
import { createHubState } from "./hub-state.ts";
import { createStateCache, readSavedState } from "./state-cache.ts";
import type { StateMessage } from "./state-change.ts";
import { protocolSchemas } from "../../schemas.ts";

/** A hub state with a cache whose writes the test records. */
function startCache(storage = memoryStorage()) {
  const world = manualWorld();
  const hub = createHubState(() => 0);
  const writes: (readonly CacheRecord[])[] = [];
  const troubles: unknown[] = [];
  const cache = createStateCache({
    storage: {
      ...storage,
      async saveCache(records) {
        writes.push(records);
        await storage.saveCache(records);
      },
    },
    hub,
    world,
    place: () => ({ asOf: new Date(world.clock.now()).toISOString(), from: "ws://hub" }),
    trouble: (error) => troubles.push(error),
  });
  return {
    storage,
    world,
    hub,
    cache,
    writes,
    troubles,
    sync(fields: Parameters<typeof syncPage>[0]) {
      const change = hub.sync(syncPage(fields));
      if (change !== null) cache.changed(change);
    },
    saved: async () => readSavedState(new Map(await storage.loadCache()), protocolSchemas),
  };
}

const everything = {
  orders: [storedOrder("A", 3)],
  tables: [table(4)],
  tickets: [ticket("one")],
  itemStates: [itemState(7)],
  pluginRecords: [pluginRecord("b", {})],
};

describe("the cached state", () => {
  it("the cached state is what the hub sent, with its place in the hub's history and its time [CLIENT-121, CLIENT-190]", async () => {
    const first = startCache();
    first.sync({ ...everything, signature: "ten" });
    await first.cache.stop();
    const saved = await first.saved();
    expect(saved).toMatchObject({
      ...everything,
      since: { seq: 10 },
      asOf: "2026-11-21T20:00:00.000Z",
      from: "ws://hub",
    });
    const again = createHubState(() => 0);
    if (saved !== null) again.restore(saved);
    expect([again.since(), again.order("A"), again.ticket("one")]).toEqual([
      { hubId: "hub-1", epoch: "epoch-1", seq: 10, signature: "ten" },
      everything.orders[0],
      everything.tickets[0],
    ]);
    expect([[...again.tables()], [...again.itemStates()], [...again.pluginRecords()], again.leases()]).toEqual([
      everything.tables,
      everything.itemStates,
      everything.pluginRecords,
      [],
    ]);
  });

  it("the cached state includes removals of checks [CLIENT-250]", async () => {
    const { sync, cache, saved } = startCache();
    sync(everything);
    const removals = [{ posReference: "A", version: 2, at: "2026-11-21T20:00:00.000Z" }];
    sync({ mode: "delta", seq: 11, removedOrders: ["A"], removals });
    await cache.stop();
    expect(await saved()).toMatchObject({ removals });
  });

  it("the cached state loses what the hub has removed and a full SYNC lacks [CLIENT-121]", async () => {
    const { sync, cache, saved } = startCache();
    sync(everything);
    sync({ mode: "delta", seq: 11, removedOrders: ["A"] });
    sync({ seq: 12, tickets: [], orders: [storedOrder("B", 1)] });
    await cache.stop();
    expect(await saved()).toMatchObject({
      orders: [{ posReference: "B" }],
      tickets: [],
      tables: [],
      since: { seq: 12 },
    });
  });

  it("the cached state is written once for many changes, in pieces, its place last [CLIENT-122]", async () => {
    const { sync, writes, world, hub, cache } = startCache();
    sync({ orders: Array.from({ length: 120 }, (_, n) => storedOrder(`A/${n}`, 1)) });
    for (let seq = 11; seq < 40; seq += 1) {
      const change = hub.apply({
        type: "ORDER_CHANGED",
        seq,
        posReference: "A/0",
        version: seq,
        origin: "other",
        order: storedOrder("A/0", seq),
      });
      if (typeof change === "object") cache.changed(change);
    }
    expect(writes).toEqual([]);
    world.advance(1_000);
    await expect.poll(() => writes.at(-1)?.[0]?.[0]).toBe("place");
    expect(writes.map((records) => records.length)).toEqual([50, 50, 23, 1]);
    expect(writes.at(-1)).toMatchObject([["place", { since: { seq: 39 } }]]);
    expect(writes.flat().filter(([key]) => key === "order A/0")).toMatchObject([["order A/0", { version: 39 }]]);
  });

  it("the cached state has no place while another history replaces it, or when it is too large [CLIENT-122]", async () => {
    const { sync, writes, cache, saved } = startCache();
    sync(everything);
    sync({ epoch: "epoch-2", orders: [storedOrder("B", 1)] });
    await cache.stop();
    expect(writes[0]).toEqual([["place", undefined]]);
    expect((await saved())?.since.epoch).toBe("epoch-2");

    const large = startCache();
    large.sync(everything);
    large.world.advance(1_000);
    await expect.poll(async () => (await large.saved())?.since.seq).toBe(10);
    large.sync({ seq: 11, orders: Array.from({ length: 5_001 }, (_, n) => storedOrder(`A/${n}`, 1)) });
    await large.cache.stop();
    expect(await large.saved()).toBeNull();
  });

  it("the cached state is written again after a failure, which is only reported [CLIENT-122]", async () => {
    const storage = memoryStorage();
    let isFull = true;
    const first = startCache({
      ...storage,
      saveCache: async (records) => (isFull ? Promise.reject(new Error("disk full")) : storage.saveCache(records)),
    });
    first.sync(everything);
    first.world.advance(1_000);
    await expect.poll(() => first.troubles.length).toBe(1);
    isFull = false;
    first.cache.noteContact();
    first.world.advance(1_000);
    await expect.poll(async () => (await first.saved())?.orders.length).toBe(1);
  });

  it("the cached state is empty when it cannot be read [CLIENT-123]", async () => {
    expect(readSavedState(new Map(), protocolSchemas)).toBeNull();
    const { sync, cache, storage } = startCache();
    sync(everything);
    await cache.stop();
    const records = new Map(await storage.loadCache());
    expect(() => readSavedState(records.set("order A", { posReference: 7 }), protocolSchemas)).toThrow();
  });

  it("the cached state reports when it includes a change, and when it cannot [CLIENT-147]", async () => {
    const { cache, hub, sync, world, storage } = startCache();
    sync(everything);
    const saved: string[] = [];
    cache.whenSaved(11, () => saved.push("eleven"));
    cache.whenSaved(10, () => saved.push("ten"));
    world.advance(1_000);
    await expect.poll(() => saved).toEqual(["ten"]);
    const order = storedOrder("B", 1);
    const change = hub.apply({ type: "ORDER_CHANGED", seq: 11, posReference: "B", version: 1, order } as StateMessage);
    if (typeof change === "object") cache.changed(change);
    world.advance(1_000);
    await expect.poll(() => saved).toEqual(["ten", "eleven"]);
    expect((await storage.loadCache()).map(([key]) => key)).toContain("order B");

    const broken = startCache({ ...memoryStorage(), saveCache: () => Promise.reject(new Error("full")) });
    broken.sync(everything);
    broken.cache.whenSaved(99, () => saved.push("not"));
    broken.world.advance(1_000);
    await expect.poll(() => saved.at(-1)).toBe("not");
  });
});
