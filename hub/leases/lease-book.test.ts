import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createChangeLog } from "../changes/change-log.ts";
import { openMemory } from "../db/open.ts";
import { manualClock } from "../test/support/manual-clock.ts";
import { until } from "../test/support/until.ts";
import { realWorld, type World } from "../platform/world.ts";
import { createLeaseBook } from "./lease-book.ts";
import { createLeaseStore } from "./lease-store.ts";

function setUp() {
  const clock = manualClock();
  const world: World = { ...realWorld(pino({ level: "silent" })), ...clock.world };
  let timersSet = 0;
  let lookups = 0;
  const { monotonic } = world.clock;
  world.clock = {
    ...world.clock,
    monotonic() {
      lookups += 1;
      return monotonic();
    },
  };
  let ordersRead = 0;
  const { setTimeout } = world.timers;
  world.timers = {
    ...world.timers,
    setTimeout(work, ms) {
      timersSet += 1;
      return setTimeout(work, ms);
    },
  };
  const db = openMemory(world);
  // Lets tests fail a commit with a violated deferred foreign key.
  db.pragma("foreign_keys = ON");
  db.exec("CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT");
  db.exec("CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT");
  const changes = createChangeLog(db, world);
  const store = createLeaseStore(db);
  const book = createLeaseBook({
    world,
    time: world.clock,
    changes,
    store,
    whyFinished() {
      ordersRead += 1;
      return null;
    },
    isKnown: () => true,
    ttlMs: 60_000,
    graceMs: 10_000,
  });
  book.start();
  return {
    clock,
    book,
    store,
    db,
    /** How often the end of a lease was compared with the clock. */
    looks: () => lookups,
    /** How often the book checked whether an order is finished. */
    ordersRead: () => ordersRead,
    timersSet: () => timersSet,
    acquire: (terminalId: string, takeover = false, posReference = "A") =>
      book.acquire({ posReference, terminalId, userName: terminalId, role: "editor", takeover }),
    /** Starts a write whose commit fails, together with all other writes of the same turn. */
    poison: () => changes.write(() => void db.prepare("INSERT INTO children VALUES (9)").run()),
  };
}

describe("the lease book when a commit fails", () => {
  it("a lease that could not be stored is not held [LEASE-16]", async () => {
    const { book, store, acquire, poison } = setUp();
    const outcomes = await Promise.allSettled([acquire("one"), poison()]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
    expect(book.list()).toEqual([]);
    expect(store.list()).toEqual([]);
    expect(await acquire("two")).toMatchObject({ granted: true });
  });

  it("a lease whose takeover, release or end failed is still held [LEASE-16]", async () => {
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

  it("a renewal that could not be stored still counts [LEASE-16, LEASE-8]", async () => {
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

describe("the lease book with many leases", () => {
  it("renewing one's own lease looks at no lease of others [LEASE-21]", async () => {
    const { book, acquire, timersSet, clock } = setUp();
    const references = Array.from({ length: 40 }, (_, i) => `O${i}`);
    for (const reference of references) await acquire("one", false, reference);
    clock.advance(50_000);
    const before = timersSet();
    await book.renewAll("one");
    // A renewal sets no timer: the existing one fires too early and is then set again.
    expect(timersSet()).toBe(before);
    clock.advance(59_000);
    await Promise.resolve();
    expect(book.count()).toBe(40);
    clock.advance(1_000);
    expect(book.count()).toBe(0);
  });

  it("the end of a lease looks at no other lease [LEASE-23]", async () => {
    /** Lets `count` leases end one after the other, and returns how often an end was compared with the clock. */
    async function lookupsFor(count: number): Promise<number> {
      const { store, acquire, looks, clock } = setUp();
      for (let n = 0; n < count; n += 1) {
        await acquire(`t${n}`, false, `O${n}`);
        clock.advance(1);
      }
      clock.advance(60_000 - count);
      const before = looks();
      for (let remaining = count - 1; remaining >= 0; remaining -= 1) {
        await until("one has ended", () => store.list().length === remaining);
        await settled();
        clock.advance(1);
      }
      return looks() - before;
    }
    expect(await lookupsFor(60)).toBeLessThan(3 * (await lookupsFor(30)));
  });

  it("each lease ends at its own time, whatever happens to the others [LEASE-23]", async () => {
    const { book, acquire, clock } = setUp();
    for (let n = 0; n < 6; n += 1) {
      await acquire(`t${n}`, false, `O${n}`);
      clock.advance(1_000);
    }
    // O0 is renewed, O1 is released and acquired again, the terminal of O2 disconnects, and that of O3 reconnects.
    await book.renewAll("t0");
    await book.release("O1", "t1", undefined);
    await acquire("t9", false, "O1");
    for (const lost of ["t2", "t3"]) book.disconnect(lost);
    book.connect("t3");
    const ends = new Map<string, number>();
    for (let second = 1; second <= 61; second += 1) {
      const before = new Set(book.list().map(({ posReference }) => posReference));
      clock.advance(1_000);
      await settled();
      for (const { posReference } of book.list()) before.delete(posReference);
      for (const posReference of before) ends.set(posReference, second);
    }
    expect(Object.fromEntries(ends)).toEqual({ O2: 10, O3: 57, O4: 58, O5: 59, O0: 60, O1: 60 });
  });

  it("after a failed commit the lease book has its former leases without reading the file [LEASE-24]", async () => {
    const { book, acquire, poison, ordersRead } = setUp();
    for (let n = 0; n < 40; n += 1) await acquire("one", false, `O${n}`);
    const before = ordersRead();
    await Promise.allSettled([book.release("O7", "one", undefined), acquire("two", false, "new"), poison()]);
    // Only acquiring "new" reads an order.
    expect(ordersRead() - before).toBe(1);
    expect(book.listByTerminal("one")).toHaveLength(40);
    expect(book.listByTerminal("two")).toEqual([]);
  });

  it("a lease keeps the name of its user if another user's request on that terminal fails [LEASE-24]", async () => {
    const { book, poison } = setUp();
    const acquire = (userName: string) =>
      book.acquire({ posReference: "A", terminalId: "one", userName, role: "editor", takeover: false });
    await acquire("Ana");
    await Promise.allSettled([acquire("Luis"), poison()]);
    expect(book.holder("A")).toMatchObject({ userName: "Ana" });
  });

  it("a lease that has ended does not count for its user, even while it cannot be removed [LEASE-25, LEASE-90]", async () => {
    const { clock, book, db } = setUp();
    const take = (posReference: string, terminalId: string) =>
      book.acquire({ posReference, terminalId, userName: "Ana", role: "editor", takeover: false });
    for (let n = 0; n < 200; n += 1) await take(`A${n}`, `t${n % 5}`);
    await expect(take("B", "other")).rejects.toMatchObject({ code: "LIMIT_REACHED" });
    db.exec("CREATE TRIGGER full BEFORE DELETE ON leases BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    clock.advance(60_000);
    await settled();
    expect(await take("B", "other")).toMatchObject({ granted: true });
  });

  it("a failed removal of a lease is retried after a pause [LEASE-25]", async () => {
    const { book, db, store, acquire, timersSet, clock } = setUp();
    await acquire("one");
    db.exec("CREATE TRIGGER full BEFORE DELETE ON leases BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    clock.advance(60_000);
    await settled();
    expect(store.list()).toHaveLength(1);
    const before = timersSet();
    for (let n = 0; n < 40; n += 1) {
      clock.advance(100);
      await settled();
    }
    // Four of them are timers of the sleep watch.
    expect(timersSet() - before).toBeLessThanOrEqual(5);
    expect(book.list()).toEqual([]);
    db.exec("DROP TRIGGER full");
    clock.advance(1_000);
    await until("it is removed", () => store.list().length === 0);
  });
});

/** Resolves after pending commits, so that code that awaits them has continued. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
