import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createChangeLog } from "../changes/change-log.ts";
import { openMemory } from "../db/open.ts";
import { manualClock } from "../test/manual-clock.ts";
import { realWorld, type World } from "../world.ts";
import { createLeaseBook } from "./lease-book.ts";
import { createLeaseStore } from "./lease-store.ts";

function setUp() {
  const clock = manualClock();
  const world: World = { ...realWorld(pino({ level: "silent" })), ...clock.world };
  let timersSet = 0;
  const { setTimeout } = world.timers;
  world.timers = {
    ...world.timers,
    setTimeout(work, ms) {
      timersSet += 1;
      return setTimeout(work, ms);
    },
  };
  const db = openMemory(world);
  db.exec("CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT");
  db.exec("CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT");
  const changes = createChangeLog(db, world);
  const store = createLeaseStore(db);
  const book = createLeaseBook({
    world,
    time: world.clock,
    changes,
    store,
    whyFinished: () => null,
    isKnown: () => true,
    ttlMs: 60_000,
    graceMs: 10_000,
  });
  book.start();
  return {
    clock,
    book,
    store,
    timersSet: () => timersSet,
    acquire: (terminalId: string, takeover = false, posReference = "A") =>
      book.acquire({ posReference, terminalId, userName: terminalId, role: "editor", takeover, isNew: false }),
    /** A write whose commit fails, and with it every other write of the same turn. */
    poison: () => changes.write(() => void db.prepare("INSERT INTO children VALUES (9)").run()),
  };
}

describe("the lease book when a commit fails", () => {
  it("[LEASE-16] does not hold what could not be stored", async () => {
    const { book, store, acquire, poison } = setUp();
    const outcomes = await Promise.allSettled([acquire("one"), poison()]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
    expect(book.list()).toEqual([]);
    expect(store.all()).toEqual([]);
    expect(await acquire("two")).toMatchObject({ granted: true });
  });

  it("[LEASE-16] still holds what a takeover, a release or an end could not take away", async () => {
    const { book, acquire, poison, clock } = setUp();
    await acquire("one");
    clock.advance(30_000);
    const [before] = book.list();
    const changes = [
      () => acquire("boss", true),
      () => book.release("A", "one", undefined),
      () => book.revoke("A", { terminalId: "hub", userName: "hub" }),
    ];
    for (const change of changes) {
      await Promise.allSettled([change(), poison()]);
      expect(book.list()).toEqual([before]);
    }
    clock.advance(29_999);
    expect(book.list()).toHaveLength(1);
    clock.advance(1);
    expect(book.list()).toEqual([]);
  });

  it("[LEASE-16, LEASE-8] lets a renewal count that could not be stored: its holder was there", async () => {
    const { book, acquire, poison, clock } = setUp();
    await acquire("one");
    clock.advance(50_000);
    await Promise.allSettled([book.renewAll("one"), poison()]);
    clock.jumpWall(3_600_000);
    clock.advance(59_000);
    expect(book.holderOtherThan("A", "two")).toMatchObject({ terminalId: "one" });
    clock.advance(1_000);
    expect(book.holderOtherThan("A", "two")).toBeNull();
  });
});

describe("the lease book of a full house", () => {
  it("[LEASE-21] looks at no lease of others when a terminal renews its own", async () => {
    const { book, acquire, timersSet, clock } = setUp();
    const references = Array.from({ length: 40 }, (_, i) => `O${i}`);
    for (const reference of references) await acquire("one", false, reference);
    clock.advance(50_000);
    const before = timersSet();
    await book.renewAll("one");
    // The timer of the first end fires too early then, and finds out by itself: none is set for a renewal.
    expect(timersSet()).toBe(before);
    clock.advance(59_000);
    await Promise.resolve();
    expect(book.count()).toBe(40);
    clock.advance(1_000);
    expect(book.count()).toBe(0);
  });
});
