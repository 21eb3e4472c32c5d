// @module-tag long
import type { SalesReport, Since } from "@comanda/protocol";
import Database from "better-sqlite3";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { checkAll } from "../../db/integrity/check.ts";
import { keepSealed } from "../../db/integrity/sealed-tables.ts";
import { line, takeoutOrder, terminalSnapshot } from "../support/builders.ts";
import { connectTerminal, type TestTerminal } from "../support/connect-terminal.ts";
import { manualClock, type ManualClock } from "../support/manual-clock.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const DAY = 24 * 3_600_000;
/** Longest simulated sleep, in days. While awake, the hub runs its maintenance daily. */
const MAX_SLEEP_DAYS = 19;

/** Short retention times. */
const shortRetention = { HUB_HISTORY_DAYS: "10", HUB_RETENTION_DAYS: "40" };

const refusing = ["batch-sync", "finalize"].map((call) => {
  return { path: `/pos-api/v1/hub/${call}`, action: "status", status: 503 };
});

/** A manual clock that also counts completed maintenance runs. */
type AgingClock = ManualClock & { runs: () => number };

async function startAgingHub({
  startAt,
  ...options
}: { ownBackOffice?: boolean; env?: Record<string, string>; startAt?: number } = {}) {
  const clock = manualClock(startAt);
  let runs = 0;
  const log = pino(
    { level: "debug" },
    { write: (line: string) => void (runs += / packed, thinned /.test(line) ? 1 : 0) },
  );
  const hub = await startTestHub({ ...options, world: { ...clock.world, log } });
  const aging: AgingClock = { ...clock, runs: () => runs };
  await advanceUntil(aging, "the first run", () => runs > 0);
  return { clock: aging, hub };
}

/** Queries the data file while the hub has it open. */
function read<T>(hub: TestHub, sql: string, ...values: unknown[]): T[] {
  const db = new Database(hub.dbPath, { readonly: true });
  try {
    return db.prepare<unknown[], T>(sql).all(...values);
  } finally {
    db.close();
  }
}

/** Writes to the data file while the hub is stopped. */
function write(hub: TestHub, work: (db: Database.Database) => void): Promise<void> {
  return hub.restart(() => {
    const db = new Database(hub.dbPath);
    keepSealed(db);
    work(db);
    db.close();
  });
}

const packingOf = (hub: TestHub, posReference: string): number | undefined =>
  read<{ packing: number }>(
    hub,
    `SELECT packing FROM orders WHERE pos_reference = @ref
     UNION ALL SELECT packing FROM removed_orders WHERE pos_reference = @ref`,
    { ref: posReference },
  )[0]?.packing;

/** Lets the hub's background work continue until `condition` holds. */
const advanceUntil = (clock: ManualClock, description: string, condition: () => boolean): Promise<true> =>
  until(description, () => {
    if (condition()) return true;
    clock.advance(500);
    return false;
  });

/** Lets days pass. The hub stays awake on the first and the last two; in between it sleeps and wakes for a day at a time. */
async function pass(clock: AgingClock, days: number): Promise<void> {
  for (let remaining = days; remaining > 0;) {
    const sleepDays = remaining === days ? 0 : Math.max(0, Math.min(MAX_SLEEP_DAYS, remaining - 3));
    remaining -= sleepDays + 1;
    clock.sleep(sleepDays * DAY);
    const before = clock.runs();
    clock.advance(DAY);
    await advanceUntil(clock, "the daily run", () => clock.runs() > before);
  }
}

/** Takes an order through its life: open, edit, send to the kitchen, edit and pay. Forwarding closes it. */
async function serve(till: TestTerminal, posReference: string): Promise<void> {
  let version = 0;
  const put = async (lines: Record<string, unknown>[]): Promise<void> => {
    const snapshot = terminalSnapshot({ lines, customerName: `Guest of ${posReference}` });
    version = (await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: version, snapshot })).version ?? 0;
  };
  const dish = (id: string) => ({ id, productId: 101, quantity: 1, unitPrice: 50, total: 50 });
  await put([dish("a")]);
  await put([dish("a"), dish("b")]);
  const sent = await till.change({ type: "ORDER_SEND", posReference, baseVersion: version });
  version = sent.version ?? version;
  await put([dish("a"), dish("b"), dish("c")]);
  await put([dish("a"), dish("b"), dish("c"), dish("d")]);
  const payments = [{ methodId: 1, amount: 200 }];
  await till.change({ type: "ORDER_PAY", posReference, baseVersion: version, payments });
}

const isClosed = (hub: TestHub, posReference: string): boolean =>
  read<{ status: string }>(hub, "SELECT status FROM orders WHERE pos_reference = ?", posReference)[0]?.status ===
  "closed";

async function serveAndForward(hub: TestHub, clock: ManualClock, references: string[]): Promise<void> {
  const till = await hub.terminal({ login: "cashier" });
  for (const posReference of references) await serve(till, posReference);
  await advanceUntil(clock, "forwarding", () => references.every((each) => isClosed(hub, each)));
  till.close();
}

/** Reads everything the APIs show of an order. */
async function readAll(hub: TestHub, posReference: string) {
  const call = operatorOf(hub);
  const params = { posReference };
  const { versions } = (await call("orderVersions", { params })).body as { versions: { version: number }[] };
  const contents = [];
  for (const { version } of versions)
    contents.push((await call("orderVersion", { params: { ...params, version } })).body);
  return {
    contents,
    versions,
    detail: (await call("order", { params })).body,
    timeline: (await call("orderTimeline", { params })).body,
    found: (await call("orders", { query: { status: "all", search: `guest of ${posReference}`.toLowerCase() } })).body,
    external: (await hub.external().get(`/orders/${posReference}`)).body,
    listed: (await hub.external().get("/orders?status=all")).body,
  };
}

async function syncSince(hub: TestHub, since: Since | undefined) {
  const auth = { type: "AUTH", token: await hub.signIn("cashier"), deviceId: crypto.randomUUID() };
  const terminal = await connectTerminal(hub.url.replace("http", "ws"), { ...auth, ...(since && { since }) });
  terminal.close();
  const { hubId, epoch, seq } = terminal.sync;
  return { sync: terminal.sync, place: { hubId, epoch, seq } };
}

describe("an inactive order ", () => {
  it("a closed order is packed after a day, and every answer stays the same [KEEP-1]", async () => {
    const { hub, clock } = await startAgingHub();
    await serveAndForward(hub, clock, ["A"]);
    const before = await readAll(hub, "A");
    expect(before.versions.length).toBe(7);
    expect(before.contents.length).toBe(7);
    clock.advance(DAY - 3_600_000);
    expect(packingOf(hub, "A")).toBe(0);
    await pass(clock, 3);
    expect(packingOf(hub, "A")).toBe(1);
    expect(read(hub, "SELECT 1 FROM order_versions WHERE pos_reference = 'A'")).toHaveLength(1);
    expect(await readAll(hub, "A")).toEqual(before);
    expect(checkAll(new Database(hub.dbPath, { readonly: true }))).toMatchObject({ ok: true });
  });

  it("kitchen tickets are packed with their order, and every answer stays the same [KEEP-20]", async () => {
    const { hub, clock } = await startAgingHub();
    const { place } = await syncSince(hub, undefined);
    await serveAndForward(hub, clock, ["A"]);
    const cook = await hub.terminal({ login: "cashier" });
    const [ticket] = (await operatorOf(hub)("kitchen", { query: { state: "open" } })).body.tickets;
    const { ticketId: kitchenTicketId } = ticket;
    for (const lineId of ["a", "b"]) {
      await cook.change({ type: "KITCHEN_BUMP", kitchenTicketId, lineId, preparedQuantity: 1 });
    }
    cook.close();
    const rows = () => read<{ body: string; size: number }>(hub, "SELECT body, length(packed) AS size FROM tickets");
    const answers = async () => ({
      ...(await readAll(hub, "A")),
      kitchen: (await operatorOf(hub)("kitchen", { query: { state: "ready" } })).body,
      delta: (await syncSince(hub, place)).sync.tickets,
    });
    const [asWritten] = rows();
    expect(asWritten).toMatchObject({ body: expect.stringContaining(kitchenTicketId), size: null });
    const before = await answers();
    expect(before.delta).toMatchObject([{ id: kitchenTicketId, isOver: true }]);
    await pass(clock, 3);
    expect(rows()).toEqual([{ body: "", size: expect.any(Number) }]);
    expect(rows()[0]?.size).toBeLessThan((asWritten?.body.length ?? 0) / 2);
    expect(await answers()).toEqual(before);

    // A recall unpacks the order. It is packed again once the ticket is over.
    const again = await hub.terminal({ login: "cashier" });
    expect(again.sync.tickets).toEqual([]);
    await again.change({ type: "KITCHEN_BUMP", kitchenTicketId, lineId: "a", preparedQuantity: 0 });
    expect(rows()).toMatchObject([{ body: expect.stringContaining(kitchenTicketId), size: null }]);
    await pass(clock, 2);
    expect(rows()).toEqual([{ body: "", size: expect.any(Number) }]);
    again.close();
    await write(hub, (db) => db.exec("UPDATE tickets SET packed = X'00'"));
    expect((await operatorOf(hub)("kitchen", { query: { state: "ready" } })).body.tickets).toEqual([]);
    expect((await hub.send("GET", "/health")).body).toMatchObject({ reasons: expect.arrayContaining(["data_file"]) });
  });

  it("a packed order that is written again is packed again with the new version [KEEP-3]", async () => {
    const { hub, clock } = await startAgingHub({ ownBackOffice: true });
    const till = await hub.terminal({ login: "cashier" });
    await hub.backOffice.control("POST", "/session", { open: true });
    await hub.backOffice.control("POST", "/faults", { faults: refusing });
    await serve(till, "A");
    till.close();
    await pass(clock, 4);
    expect(packingOf(hub, "A")).toBe(1);
    await hub.backOffice.control("DELETE", "/faults");
    await advanceUntil(clock, "forwarding", () => isClosed(hub, "A"));
    expect(packingOf(hub, "A")).toBe(0);
    const before = await readAll(hub, "A");
    expect(before.versions.map((each) => each.version)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await pass(clock, 4);
    expect(packingOf(hub, "A")).toBe(1);
    expect(await readAll(hub, "A")).toEqual(before);
  });

  it(
    "an order is packed, thinned and removed over simulated years [KEEP-4, KEEP-5, KEEP-6, KIT-12]",
    { timeout: 120_000 },
    async () => {
      const { hub, clock } = await startAgingHub();
      const call = operatorOf(hub);
      await serveAndForward(hub, clock, ["A"]);
      const early = (await syncSince(hub, undefined)).place;
      const first = await readAll(hub, "A");
      await pass(clock, 30);
      await serveAndForward(hub, clock, ["B"]);
      const late = (await syncSince(hub, undefined)).place;
      await pass(clock, 40);

      // After 70 days A is thinned and B only packed.
      expect([packingOf(hub, "A"), packingOf(hub, "B")]).toEqual([2, 1]);
      const thinned = await readAll(hub, "A");
      expect(thinned.versions).toMatchObject([
        { version: 1, kind: "created" },
        { version: 3, kind: "sent" },
        { version: 6, kind: "paid" },
        { version: 7, kind: "closed" },
      ]);
      expect(thinned.contents).toEqual([0, 2, 5, 6].map((index) => first.contents[index]));
      expect(thinned.external).toEqual(first.external);
      expect((await call("orderVersion", { params: { posReference: "A", version: 2 } })).status).toBe(404);
      expect((await readAll(hub, "B")).versions).toHaveLength(7);
      expect((await syncSince(hub, early)).sync).toMatchObject({ mode: "delta", orders: [{ posReference: "B" }] });

      // After 415 days A is deleted and B thinned.
      await pass(clock, 345);
      expect([packingOf(hub, "A"), packingOf(hub, "B")]).toEqual([undefined, 2]);
      for (const table of ["order_versions", "tickets", "ticket_orders", "hub_events"]) {
        expect(read(hub, `SELECT DISTINCT pos_reference AS ref FROM ${table}`)).toEqual([{ ref: "B" }]);
      }
      expect((await hub.external().get("/orders/A")).status).toBe(404);
      expect((await hub.external().get("/orders?status=all")).body.orders).toMatchObject([{ posReference: "B" }]);
      const params = { posReference: "A" };
      for (const route of ["order", "orderVersions", "orderTimeline"] as const) {
        expect((await call(route, { params })).status).toBe(404);
      }
      expect((await call("orders", { query: { status: "all", search: "guest of" } })).body).toMatchObject({
        total: 1,
        orders: [{ posReference: "B" }],
      });
      expect((await syncSince(hub, { ...early, seq: early.seq - 1 })).sync).toMatchObject({ mode: "full" });
      expect((await syncSince(hub, late)).sync).toMatchObject({ mode: "delta" });

      // After two and a half years both are deleted, and the hub still works.
      await pass(clock, 500);
      expect(packingOf(hub, "B")).toBeUndefined();
      await serveAndForward(hub, clock, ["A"]);
      expect((await readAll(hub, "A")).versions.map((each) => each.version)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(checkAll(new Database(hub.dbPath, { readonly: true }))).toMatchObject({ ok: true });
    },
  );

  it(
    "an order is never removed while money or a decision is pending [KEEP-7, KEEP-9, FISC-319]",
    { timeout: 120_000 },
    async () => {
      const { hub, clock } = await startAgingHub({ ownBackOffice: true, env: shortRetention });
      await serveAndForward(hub, clock, ["DONE", "ATTENTION", "PAYMENT", "LOSS", "QUESTION", "REFUND"]);
      const till = await hub.terminal({ login: "cashier" });
      await hub.external().get("/orders");
      await hub.backOffice.kill();
      await serve(till, "WAITING");
      till.close();
      await write(hub, (db) => {
        db.exec(`
        UPDATE hub_events SET state = 'attention', forwarded = 0 WHERE pos_reference = 'ATTENTION';
        INSERT INTO unapplied_payments
          (mutation_id, pos_reference, terminal_id, user_name, error_code, error, body, at)
          VALUES ('m', 'PAYMENT', 't', 'Ana', 'CONFLICT', 'late', '{"payments":[]}', 1);
        INSERT INTO kept_changes (mutation_id, digest, terminal_id, user_name, error, body, at)
          VALUES ('k', 'd', 't', 'Ana', 'revoked', '{"type":"ORDER_SEND","posReference":"DONE"}', 1);
        INSERT INTO losses (kind, pos_reference, version, sources, known_at, found_at)
          VALUES ('order_older', 'LOSS', 9, '[]', 1, 1);
        INSERT INTO losses (kind, pos_reference, version, sources, known_at, found_at, state)
          VALUES ('order_older', 'DONE', 9, '[]', 1, 1, 'noted');
        INSERT INTO lookup_questions (pos_reference, why) VALUES ('QUESTION', 'open');
        INSERT INTO refunds (refund_id, pos_reference, state, is_in_doubt, asks_all, body, at, made_at)
          VALUES ('r1', 'REFUND', 'pending', 1, 0, '{"state":"pending"}', 1, NULL),
            ('r2', 'DONE', 'made', 0, 0, '{"state":"made"}', 1, 1);`);
      });
      await pass(clock, 50);
      const remainingOrders = () =>
        read<{ ref: string }>(hub, "SELECT pos_reference AS ref FROM orders ORDER BY 1").map((row) => row.ref);
      expect(remainingOrders()).toEqual(["ATTENTION", "LOSS", "PAYMENT", "QUESTION", "REFUND", "WAITING"]);
      expect(read(hub, "SELECT pos_reference AS ref FROM refunds")).toEqual([{ ref: "REFUND" }]);
      for (const ref of remainingOrders()) expect((await hub.external().get(`/orders/${ref}`)).status).toBe(200);

      expect(read(hub, "SELECT 1 FROM kept_changes").length).toBe(1);

      // A settled case no longer keeps its order once the settlement is old enough too.
      const settledAt = clock.world.clock.now();
      await write(hub, (db) => {
        db.prepare("UPDATE unapplied_payments SET settled_at = ?, settled_by = 'Ana'").run(settledAt);
        db.prepare("UPDATE kept_changes SET settled_at = ?, settled_how = 'dismissed'").run(settledAt);
        db.prepare("UPDATE losses SET state = 'dismissed', settled_at = ?, settled_by = 'Ana'").run(settledAt);
      });
      await pass(clock, 30);
      expect(remainingOrders()).toEqual(["ATTENTION", "LOSS", "PAYMENT", "QUESTION", "REFUND", "WAITING"]);
      await pass(clock, 20);
      expect(remainingOrders()).toEqual(["ATTENTION", "QUESTION", "REFUND", "WAITING"]);
      for (const table of ["unapplied_payments", "kept_changes", "losses"])
        expect(read(hub, `SELECT 1 FROM ${table}`)).toEqual([]);
    },
  );

  it(
    "sales of a day count packed and thinned orders, and report when they are no longer kept [OP-470, OP-473]",
    { timeout: 120_000 },
    async () => {
      const { hub, clock } = await startAgingHub({
        env: { ...shortRetention, HUB_TIME_ZONE: "America/Santo_Domingo" },
      });
      const day = "2026-11-20";
      const salesOf = async () => (await operatorOf(hub)("sales", { query: { day } })).body as SalesReport;
      await serveAndForward(hub, clock, ["ONE", "TWO"]);
      const { today: _then, asOf: _at, ...fresh } = await salesOf();
      expect(fresh).toMatchObject({
        day,
        keptSince: null,
        totals: { paidOrders: 2, paidAmount: 400 },
        dishes: [{ productId: "101", quantity: 8, amount: 400 }],
      });
      await pass(clock, 12);
      expect([packingOf(hub, "ONE"), packingOf(hub, "TWO")]).toEqual([2, 2]);
      const { today, asOf: _later, ...packed } = await salesOf();
      expect(packed).toEqual(fresh);
      expect(today).toBe("2026-12-02");
      await pass(clock, 40);
      const removed = await salesOf();
      expect(removed).toMatchObject({ day, totals: { paidOrders: 0 }, dishes: [] });
      expect(Date.parse(removed.keptSince ?? "")).toBeGreaterThan(Date.parse(removed.since));
    },
  );

  it("print jobs are kept for as long as unused terminals [KEEP-25]", { timeout: 120_000 }, async () => {
    const { hub, clock } = await startAgingHub({ env: shortRetention });
    const addJob = (cause: string) =>
      write(hub, (db) => {
        db.prepare(`
          INSERT INTO print_jobs (job_id, cause, printer_id, sent_to, document, state, blocks, created_at)
          VALUES (@cause, @cause, 'bar', 'bar', 'station', 'printed', '[]', @at)`).run({
          cause,
          at: clock.world.clock.now(),
        });
      });
    await addJob("ticket:old");
    await pass(clock, 29);
    await addJob("ticket:new");
    await pass(clock, 2);
    expect(read(hub, "SELECT cause FROM print_jobs")).toEqual([{ cause: "ticket:new" }]);
  });

  it("a discarded check is packed, thinned and removed like other orders [KEEP-8]", { timeout: 120_000 }, async () => {
    const { hub, clock } = await startAgingHub({ env: shortRetention });
    const call = operatorOf(hub);
    const params = { posReference: "GONE" };
    const till = await hub.terminal({ login: "cashier" });
    for (const [baseVersion, guests] of [2, 3, 4].entries()) {
      const snapshot = terminalSnapshot({ guestCount: guests, customerName: "Yaritza" });
      await till.change({ type: "ORDER_UPSERT", posReference: "GONE", baseVersion, snapshot });
    }
    const before = (await syncSince(hub, undefined)).place;
    await till.change({ type: "ORDER_DISCARD", posReference: "GONE", baseVersion: 3, reason: "left" });
    till.close();
    const readAll = async () => ({
      detail: (await call("order", { params })).body,
      versions: (await call("orderVersions", { params })).body,
      found: (await call("orders", { query: { status: "removed", search: "yaritza" } })).body,
    });
    const whole = await readAll();
    expect(whole.found.total).toBe(1);
    await pass(clock, 4);
    expect(packingOf(hub, "GONE")).toBe(1);
    expect(await readAll()).toEqual(whole);
    await pass(clock, 10);
    expect(packingOf(hub, "GONE")).toBe(4);
    expect((await readAll()).versions.versions.map((each: { version: number }) => each.version)).toEqual([1, 3, 4]);
    expect((await syncSince(hub, before)).sync).toMatchObject({ mode: "delta", removedOrders: ["GONE"] });
    await pass(clock, 40);
    expect((await call("order", { params })).status).toBe(404);
    expect(read(hub, "SELECT 1 FROM order_versions")).toEqual([]);
    expect((await syncSince(hub, before)).sync.mode).toBe("full");
  });
});

describe("other growing tables ", () => {
  it(
    "audit entries, plugin records and terminals are removed like orders, unless money is pending [KEEP-9]",
    { timeout: 120_000 },
    async () => {
      const { hub, clock } = await startAgingHub({ env: { ...shortRetention, HUB_ENABLED_PLUGINS: "reservations" } });
      const call = operatorOf(hub);
      await hub.external().post("/plugins/reservations/events", { key: "r1", payload: { guestName: "Peña" } });
      const withRecord = (await syncSince(hub, undefined)).place;
      await hub.external().delete("/plugins/reservations/events/r1");
      const records = () => read(hub, "SELECT 1 FROM plugin_records");
      const terminals = () => read<{ id: string }>(hub, "SELECT terminal_id AS id FROM terminals").map((row) => row.id);
      expect(records()).toHaveLength(1);
      (await hub.terminal({ login: "waiter", deviceId: "lost" })).close();
      const withMoney = await hub.terminal({ login: "waiter", deviceId: "has-money" });
      await withMoney.request({ type: "HEARTBEAT", outbox: { pending: 1, payments: 1, amount: 850 } });
      withMoney.close();
      expect((await call("audit")).body.entries).not.toEqual([]);
      await pass(clock, 28);
      expect(terminals()).toContain("lost");
      await pass(clock, 4);
      (await hub.terminal({ login: "waiter", deviceId: "used" })).close();
      expect([records().length, terminals().includes("lost"), (await call("audit")).body.entries.length > 0]).toEqual([
        1,
        false,
        true,
      ]);
      await pass(clock, 28);
      expect(records()).toEqual([]);
      expect(terminals()).not.toContain("lost");
      expect(terminals()).toEqual(["has-money", "used"]);
      expect((await call("audit")).body.entries).toEqual([]);
      expect((await syncSince(hub, withRecord)).sync.mode).toBe("full");
    },
  );
});

describe("a wrong clock", () => {
  // Late enough that a clock set back by years still shows a plausible time.
  const startAt = Date.parse("2036-11-20T12:00:00Z");

  it("retention removes nothing while the clock cannot be trusted [KEEP-10]", { timeout: 120_000 }, async () => {
    const { hub, clock } = await startAgingHub();
    await serveAndForward(hub, clock, ["A"]);
    await pass(clock, 10);
    await hub.restart(() => clock.reboot(500 * DAY));
    clock.advance(61_000);
    await pass(clock, 4);
    expect((await hub.external().get("/orders/A")).status).toBe(200);
    clock.jumpWall(-500 * DAY);
    await pass(clock, 4);
    expect((await readAll(hub, "A")).versions).toHaveLength(7);
  });

  it("rows stamped by a slow clock are not removed early [KEEP-10]", { timeout: 120_000 }, async () => {
    const { hub, clock } = await startAgingHub({ env: shortRetention, startAt });
    await serveAndForward(hub, clock, ["OLD"]);
    await pass(clock, 30);
    clock.jumpWall(-1_000 * DAY);
    await serveAndForward(hub, clock, ["STAMPED"]);
    clock.jumpWall(1_000 * DAY);
    await pass(clock, 25);
    expect(packingOf(hub, "OLD")).toBeUndefined();
    expect((await hub.external().get("/orders/STAMPED")).status).toBe(200);
    await pass(clock, 40);
    expect((await hub.external().get("/orders/STAMPED")).status).toBe(404);
  });

  it("takings and shifts stamped by a slow clock are not removed early [KEEP-10]", { timeout: 120_000 }, async () => {
    const { hub, clock } = await startAgingHub({ env: shortRetention, startAt });
    const call = operatorOf(hub);
    await call("createTill", { body: { id: "bar", name: "Barra", terminals: ["front"] } });
    const front = await hub.terminal({ login: "cashier", deviceId: "front" });
    const shiftId = crypto.randomUUID();
    const request = (message: object) => front.request({ mutationId: crypto.randomUUID(), ...message });
    const report = async () => (await call("shift", { params: { shiftId } })).body as object;
    const countRows = () =>
      ["takings", "till_money", "shift_events"].map((table) => read(hub, `SELECT 1 FROM ${table}`).length);
    // The PC's clock battery is empty.
    clock.jumpWall(-1_000 * DAY);
    await request({ type: "TILL_OPEN", tillId: "bar", shiftId, float: 100 });
    await serve(front, "STAMPED");
    await request({ type: "TILL_COUNT", shiftId, counted: [{ methodId: 1, amount: 300 }] });
    await advanceUntil(clock, "forwarding", () => isClosed(hub, "STAMPED"));
    front.close();
    const [evening, rows] = [await report(), countRows()];
    expect(evening).toMatchObject({ state: "closed", sales: 200, difference: 0 });
    clock.jumpWall(1_000 * DAY);
    await pass(clock, 25);
    expect(await report()).toEqual(evening);
    expect(countRows()).toEqual(rows);
    await pass(clock, 40);
    expect(countRows()).toEqual([0, 0, 0]);
  });
});

describe("maintenance ", () => {
  it("packing runs in small slices with turns for other work between them [KEEP-18]", async () => {
    const { hub, clock } = await startAgingHub();
    const count = 50;
    await Promise.all(
      Array.from({ length: count }, () => hub.external().post("/orders", takeoutOrder({ lines: [line()] }))),
    );
    const till = await hub.terminal({ login: "cashier" });
    const open = read<{ ref: string }>(hub, "SELECT pos_reference AS ref FROM orders");
    for (const { ref } of open) await till.change({ type: "ORDER_DISCARD", posReference: ref, baseVersion: 1 });
    till.close();
    await pass(clock, 1);
    clock.advance(DAY);
    const packed = () => read(hub, "SELECT 1 FROM removed_orders WHERE packing = 1").length;
    const counts = new Set<number>();
    await advanceUntil(clock, "packing", () => counts.add(packed()) && packed() === count);
    const steps = [...counts];
    expect(steps.length).toBeGreaterThan(2);
    expect(Math.max(...steps.map((each, index) => each - (steps[index - 1] ?? 0)))).toBeLessThanOrEqual(20);
  });

  it("packing does not change the totals of the current session [KEEP-14]", async () => {
    const { hub, clock } = await startAgingHub();
    const totals = async () => (await operatorOf(hub)("closing")).body.totals;
    await serveAndForward(hub, clock, ["A", "B"]);
    await hub.restart();
    const before = await totals();
    expect(before).toMatchObject({ paidOrders: 2, paidAmount: 400, notYetInAccounting: 0 });
    await pass(clock, 3);
    await pass(clock, 67);
    expect(packingOf(hub, "A")).toBe(2);
    await hub.restart();
    expect(await totals()).toEqual(before);
  });
});
