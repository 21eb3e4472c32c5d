// @module-tag long
import { copyFileSync, existsSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { StoredOrder } from "@comanda/protocol";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { checkAll } from "../../hub/db/integrity/check.ts";
import { registerSeal } from "../../hub/db/rows/seal.ts";
import { createTicketStore } from "../../hub/kitchen/ticket-store.ts";
import { createOrderStore } from "../../hub/orders/store/order-store.ts";
import { startTestHub, type TestHub } from "../../hub/test/support/start-test-hub.ts";
import { until } from "../../hub/test/support/until.ts";
import { readLives } from "./life.ts";
import { DAY_MS } from "./multiply.ts";
import { STATIONS, writeLives } from "./write-lives.ts";
import { copyWithToday, makeYearFile, requireRoom } from "./year-file.ts";

/** 10 lives are paid (two of them split), 1 discarded, 3 active. Over 22 days each closed life is copied twice a day. */
const PAID = 10;
const CLOSED = 12;
const ACTIVE = 3;
const A_DAY = 22;
const DAYS = 9;

/** Version counts of the closed orders: made and served, split or voided, split off, abandoned by the kitchen. */
const endings = [25, 26, 4, 10];

interface Row {
  posReference: string;
  version: number;
  status: string;
  isActive: 0 | 1;
}

const settings = { env: { HUB_STATIONS: JSON.stringify(STATIONS) } };

describe("files of days", () => {
  it("a file of days made from real orders passes the hub's check, and a hub serves it", async () => {
    const hub = await startTestHub(settings);
    await liveOrders(hub);
    const now = Date.now();
    await hub.restart(() => replaceWithDays(hub.dbPath, now));

    expect(hub.hub.health()).toMatchObject({ status: "ok", orders: ACTIVE, pendingForward: 0 });
    const all = await hub.external().get("/orders?status=all");
    expect((all.body as { orders: unknown[] }).orders).toHaveLength(ACTIVE + 2 * CLOSED * DAYS);
    const { sync } = await hub.terminal();
    const activeReferences = sync.orders.flatMap((order) =>
      order.posReference.startsWith("Orden A") ? [order.posReference] : [],
    );
    expect(activeReferences.sort()).toEqual(["Orden A0", "Orden A1", "Orden A2"]);
    // Today's orders, without those that were discarded (one in eleven).
    expect(sync.orders).toHaveLength(ACTIVE + 2 * CLOSED);

    // A hub continues where the file ends: no ticket number or seq repeats.
    const created = await hub.external().post("/orders", {
      orderType: "takeout",
      totals: { subtotal: 1, tax: 0, total: 1 },
      lines: [{ productId: "1", quantity: 1, unitPrice: 1, total: 1 }],
    });
    expect(created.status).toBe(201);
    await hub.hub.stop();
    const db = new Database(hub.dbPath, { readonly: true });
    expect(checkAll(db)).toEqual({ ok: true, isBroken: false, detail: "ok" });
    expect(numbersOf(db)).toEqual({ duplicateNumbers: [], duplicateSeqs: 0 });
    db.close();
  });

  it("a file of days has every order from its first version to its last", async () => {
    const hub = await startTestHub(settings);
    await liveOrders(hub);
    const now = Date.now();
    await hub.hub.stop();
    replaceWithDays(hub.dbPath, now);
    const db = new Database(hub.dbPath, { readonly: true });

    expect(checkAll(db)).toEqual({ ok: true, isBroken: false, detail: "ok" });
    const count = (sql: string): unknown => db.prepare(sql).pluck().get();
    expect(count("SELECT count(*) FROM orders")).toBe(ACTIVE + 2 * CLOSED * DAYS);
    expect(count("SELECT count(*) FROM removed_orders")).toBe(2 * DAYS);
    expect(count("SELECT count(*) FROM hub_events WHERE forwarded = 1")).toBe(2 * CLOSED * DAYS);
    expect(ticketsIn(db)).toEqual(expectedTickets(hub.dbPath));
    // Tickets that the kitchen abandoned leave its lists a day later.
    expect(
      count("SELECT count(*) FROM tickets WHERE is_over = 0 AND sent_at < ?".replace("?", String(now - 2 * DAY_MS))),
    ).toBe(0);
    expect(count("SELECT count(*) FROM mutations WHERE at < ?".replace("?", String(now - 8 * DAY_MS)))).toBe(0);
    expect(count("SELECT count(*) FROM mutations")).toBeGreaterThan(2 * PAID * 7);
    expect(count("SELECT min(at) FROM order_versions")).toBeLessThan(now - (DAYS - 1) * DAY_MS);
    expect(count("SELECT max(at) FROM order_versions")).toBeLessThanOrEqual(now);

    // Orders older than a day are packed, as they would be in a real file.
    expect(count("SELECT count(*) FROM orders WHERE packing = 1")).toBeGreaterThanOrEqual(2 * PAID * (DAYS - 3));

    registerSeal(db);
    const orders = createOrderStore(db);
    const rows = db
      .prepare<[], Row>("SELECT pos_reference AS posReference, version, status, is_active AS isActive FROM orders")
      .all();
    for (const { posReference, version, status, isActive } of rows) {
      const order = StoredOrder.parse(orders.getWithForward(posReference));
      expect(order).toMatchObject({ posReference, version, snapshot: { posReference, status } });
      expect(orders.listVersions(posReference).map((each) => each.version)).toEqual(
        Array.from({ length: version }, (_, n) => n + 1),
      );
      if (isActive === 0) {
        expect({ status, forward: order.forward?.state }).toEqual({ status: "closed", forward: "done" });
        expect(endings).toContain(version);
      }
    }
    db.close();
  });

  it("reading orders is refused if the hub fills a table that the multiplication does not know", async () => {
    const hub = await startTestHub(settings);
    await liveOrders(hub);
    await hub.hub.stop();
    const db = new Database(hub.dbPath);
    db.exec("CREATE TABLE photos AS SELECT id AS version_id FROM order_versions");
    expect(() => readLives(db)).toThrow("the hub fills the table photos");
    db.close();
  });

  it("a file of days is not built if the disk has too little space", () => {
    expect(() => requireRoom(process.cwd(), 2 ** 60)).toThrow("GiB are needed");
  });
});

/** Lets terminals write the lives at the hub, and waits until the back-office has the paid ones. */
async function liveOrders(hub: TestHub): Promise<void> {
  const token = await hub.signIn("manager");
  await writeLives({ url: hub.url, token, tableIds: [1, 2, 3, 4, 5, 6], methodId: 1, paid: PAID, active: ACTIVE });
  await until("all orders are forwarded", () => hub.hub.health().pendingForward === 0);
}

/** Replaces a hub's file with days multiplied from it. */
function replaceWithDays(dbPath: string, now: number): void {
  const livesFile = join(dirname(dbPath), "lives.sqlite");
  const lives = new Database(dbPath);
  lives.pragma("journal_mode = DELETE");
  lives.close();
  copyFileSync(dbPath, livesFile);
  rmSync(dbPath);
  const options = { livesFile, cachedFile: join(dirname(dbPath), "kept.sqlite"), days: DAYS, ordersADay: A_DAY };
  makeYearFile(options, now);
  const modifiedAt = statSync(options.cachedFile).mtimeMs;
  makeYearFile(options, now);
  expect(statSync(options.cachedFile).mtimeMs).toBe(modifiedAt);
  copyWithToday(options, dbPath, now);
  expect(existsSync(`${options.cachedFile}.new`)).toBe(false);
}

/** Returns how many checks hold, or held a share of, how many tickets. */
function ticketsIn(db: Database.Database): Record<string, number> {
  registerSeal(db);
  const tickets = createTicketStore(db);
  const references = db
    .prepare<[], string>("SELECT pos_reference FROM orders UNION ALL SELECT pos_reference FROM removed_orders")
    .pluck()
    .all();
  const counts = references.map((reference) => tickets.listByOrder(reference).tickets.length);
  return Object.fromEntries([...Map.groupBy(counts, (n) => n)].map(([n, checks]) => [n, checks.length]));
}

/** Returns the expected counts, computed from the lives: open ones appear once, the others twice a day. */
function expectedTickets(dbPath: string): Record<string, number> {
  const db = new Database(join(dirname(dbPath), "lives.sqlite"), { readonly: true });
  registerSeal(db);
  const tickets = createTicketStore(db);
  const references = db.prepare<[], string>("SELECT DISTINCT pos_reference FROM order_versions").pluck().all();
  const expected: Record<string, number> = {};
  for (const reference of references) {
    const n = tickets.listByOrder(reference).tickets.length;
    expected[n] = (expected[n] ?? 0) + (reference.startsWith("Orden A") ? 1 : 2 * DAYS);
  }
  db.close();
  return expected;
}

/** Returns takeout numbers that a day assigned twice, and positions in the shared state that two orders have. */
function numbersOf(db: Database.Database): unknown {
  registerSeal(db);
  const orders = createOrderStore(db);
  const references = db.prepare<[], string>("SELECT pos_reference FROM orders").pluck().all();
  const assigned = references.flatMap((reference) => {
    const ticket = orders.get(reference)?.snapshot.ticketNumber;
    const [first] = orders.listVersions(reference);
    return ticket === undefined || first === undefined ? [] : [`${ticket} on ${new Date(first.at).toDateString()}`];
  });
  const duplicateSeqs = db
    .prepare(
      "SELECT count(*) - count(DISTINCT seq) FROM (SELECT seq FROM orders UNION ALL SELECT seq FROM removed_orders)",
    )
    .pluck()
    .get();
  return { duplicateNumbers: assigned.filter((each, index) => assigned.indexOf(each) < index), duplicateSeqs };
}
