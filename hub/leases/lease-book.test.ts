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
    whyNoLease: () => null,
    ttlMs: 60_000,
    graceMs: 10_000,
  });
  book.start();
  return {
    clock,
    book,
    store,
    acquire: (terminalId: string, takeover = false) =>
      book.acquire({ posReference: "A", terminalId, userName: terminalId, role: "editor", takeover }),
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
