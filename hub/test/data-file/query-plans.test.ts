import { type HttpRoute, type OperatorRouteName, operatorRoutes } from "@comanda/protocol";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { registerSeal } from "../../db/rows/seal.ts";
import { learnJob } from "../../learned/learn-job.ts";
import { listOrdersJob } from "../../orders/lists/list-orders-job.ts";
import { searchOrdersJob } from "../../orders/lists/order-search.ts";
import { dineInOrder, takeoutOrder, terminalSnapshot } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { fullScansOf, planOf } from "../support/data/query-plan.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

/** Tables that grow over the years. All other tables are bounded or pruned daily. */
const LARGE = [
  "orders",
  "order_versions",
  "removed_orders",
  "tickets",
  "ticket_orders",
  "takings",
  "mutations",
  "hub_events",
  "forward_attempts",
  "webhook_deliveries",
  "webhook_attempts",
  "webhook_events",
  "unapplied_payments",
  "kept_changes",
  "payment_identities",
  "losses",
  "audit_log",
  "version_floors",
  "plugin_records",
  "order_ncf",
];

/** Partial indexes that hold only the few active rows of their table. */
const SMALL_INDEXES = [
  "order_active",
  "order_attention",
  "ticket_open",
  "unapplied_payment_open",
  "kept_change_open",
  "loss_open",
  "hub_event_waiting",
  "plugin_record_live",
  "plugin_record_by_expiry",
  "webhook_delivery_by_due",
  "webhook_delivery_dead",
  "webhook_delivery_parked",
];

/** Statements that may scan a large table: a part of their SQL, and why they may. */
const EXCEPTIONS: Record<string, string> = {
  "FROM tickets WHERE seq > ? ORDER BY seq": "those of the orders that a delta holds",
  "FROM tickets WHERE is_over = 1 ORDER BY seq DESC LIMIT": "a hundred rows, newest first by an index",
  "FROM tickets INDEXED BY ticket_over WHERE is_over = 1 ORDER BY seq DESC LIMIT 1 OFFSET": "the same",
  "SELECT id, mutation_id AS mutationId FROM mutations": "once in a run; a week's mutations are kept",
  "SELECT at FROM mutations ORDER BY id LIMIT 1": "one row",
  "FROM unapplied_payments WHERE settled_at IS NOT NULL": "counted for a screen; a refused payment is rare",
  "FROM kept_changes WHERE settled_at IS NOT NULL": "counted for a screen; a change under a revoked token is rare",
  "SELECT mutation_id FROM kept_changes": "once in a run; a change under a revoked token is rare",
  "FROM losses WHERE state NOT IN ('open', 'noted')": "counted for a screen; only restores add to it",
  "FROM losses WHERE state = ? AND (sources LIKE": "asked where somebody offers something; only restores add to it",
  "DELETE FROM takings WHERE pos_reference = ?": "a manager recovers how a check was paid that is paid here otherwise",
  "SELECT body_id, pos_reference FROM orders WHERE seq >= @since": "a manager reverts a check that is still open",
  "WHERE o.seq > ? ORDER BY o.seq": "2,000 orders, or no more than a full SYNC holds",
  "FROM removed_orders WHERE seq > ? ORDER BY seq": "asked only where so few orders changed",
  "FROM plugin_records WHERE seq > ? ORDER BY seq": "asked only where so few orders changed",
  "FROM forward_attempts WHERE outcome IN ('failed', 'refused')": "one row",
  "FROM hub_events WHERE NOT (seal IS": "once damaged rows were found, to make them again",
  "FROM fiscal_requests WHERE NOT (seal IS": "the same",
  "FROM tickets WHERE packed IS NULL AND NOT (seal IS": "the same",
  "UPDATE webhook_deliveries SET created_at": "once, when the clock was set",
  "UPDATE webhook_events SET created_at": "the same",
  "SELECT count(*) FROM webhook_deliveries": "counted for a screen; a week's deliveries are kept",
};

/** Returns the plan steps in which a statement scans a large table without a limit, or sorts its rows. */
function offencesOf(db: Database.Database, sql: string): string[] {
  // A query plan uses the statement's alias for a table.
  const named = sql.matchAll(/\b(?:FROM|JOIN|UPDATE|INTO)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?/gi);
  const names = [...named].flatMap(([, table = "", alias = table]) => (LARGE.includes(table) ? [table, alias] : []));
  const plan = planOf(db, sql);
  const scans = fullScansOf(plan, names, SMALL_INDEXES);
  const ranges = plan.filter((step) => {
    const [, name = "", index = "", terms = ""] = /^SEARCH (\w+) USING .*?(\w+) \(([^)]*)\)$/.exec(step) ?? [];
    return names.includes(name) && !SMALL_INDEXES.includes(index) && !terms.includes("=?");
  });
  const sorts = plan.filter((step) => step.startsWith("USE TEMP B-TREE"));
  const isLimited = /\bLIMIT\b/i.test(sql);
  return [...scans, ...(isLimited ? [] : ranges), ...(scans.length + ranges.length > 0 ? sorts : [])];
}

/** Removes the unary `+` that keeps SQLite from planning by bound values (DB-162). */
const asWritten = (sql: string): string => sql.replaceAll(/ \+(?=[?@])/g, " ");

interface Prepared {
  db: Database.Database;
  sql: string;
}

/**
 * Records the SQL that any connection of this thread prepares while `work` runs. Includes SQL that a connection with
 * its own `prepare` method defers or never prepares.
 */
async function preparedDuring(work: () => unknown): Promise<Prepared[]> {
  const prepared = new Map<string, Prepared>();
  const { prepare } = Database.prototype;
  const recording = (real: typeof prepare) =>
    function (this: Database.Database, sql: string) {
      prepared.set(`${this.name} ${this.readonly} ${asWritten(sql)}`, { db: this, sql });
      return real.call(this, sql);
    } as typeof prepare;
  Object.defineProperty(Database.prototype, "prepare", {
    configurable: true,
    get: () => recording(prepare),
    set(this: Database.Database, own: typeof prepare) {
      Object.defineProperty(this, "prepare", { configurable: true, writable: true, value: recording(own) });
    },
  });
  try {
    await work();
  } finally {
    Object.defineProperty(Database.prototype, "prepare", { configurable: true, writable: true, value: prepare });
  }
  return [...prepared.values()].filter(({ sql }) => /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/i.test(sql));
}

describe("the hub's queries ", () => {
  let dbPath: string;
  let statements: string[];

  beforeAll(async () => {
    const prepared = await preparedDuring(async () => {
      const hub = await startTestHub({ env: { HUB_ENABLED_PLUGINS: "reservations" } });
      await visitEverything(hub);
      await hub.restart();
      await hub.hub.stop();
      dbPath = hub.dbPath;
    });
    // Jobs may scan tables; they use read-only connections.
    statements = prepared.flatMap(({ db, sql }) => (db.name === dbPath && !db.readonly ? [sql] : []));
  });

  function open(): Database.Database {
    const db = new Database(dbPath, { readonly: true });
    registerSeal(db);
    onTestFinished(() => void db.close());
    return db;
  }

  it("queries of the hub read only active or requested rows, never the whole history [ORDER-70]", () => {
    const db = open();
    // Without statistics, plans do not depend on row counts.
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE name = 'sqlite_stat1'").get()).toBeUndefined();
    expect(statements.length).toBeGreaterThan(150);
    const used = new Set<string>();
    const offences = statements.flatMap((sql) => {
      const text = asWritten(sql).replace(/\s+/g, " ").trim();
      const steps = offencesOf(db, sql);
      const exception = Object.keys(EXCEPTIONS).find((part) => text.includes(part));
      if (steps.length > 0 && exception !== undefined) used.add(exception);
      return steps.length > 0 && exception === undefined ? [{ text, steps }] : [];
    });
    expect(offences).toEqual([]);
    expect(Object.keys(EXCEPTIONS).filter((part) => !used.has(part))).toEqual([]);
  });

  it("jobs over all orders read them newest first without sorting [ORDER-70]", async () => {
    const filter = { search: "a", tableIds: [1], tableId: null, orderType: null };
    const prepared = await preparedDuring(async () => {
      for await (const _ of listOrdersJob.work({ file: dbPath })) {
        // Only the prepared statements matter.
      }
      for (const status of ["paid", "removed", "all"] as const) {
        const search = { ...filter, status };
        for await (const _ of searchOrdersJob.work({
          file: dbPath,
          search,
          below: Number.MAX_SAFE_INTEGER,
          limit: 1,
        })) {
          // Only the prepared statements matter.
        }
      }
    });
    const db = open();
    const plans = prepared.map(({ sql }) => planOf(db, sql));
    expect(plans.length).toBeGreaterThan(8);
    expect(plans.filter((plan) => plan.some((step) => /TEMP B-TREE|AUTOMATIC/.test(step)))).toEqual([]);
  });

  it("the learning job finds four weeks by time without scanning or sorting [TAPI-50]", async () => {
    const prepared = await preparedDuring(async () => {
      for await (const _ of learnJob.work({ file: dbPath, timeZone: "UTC", since: 0, now: Date.now() })) {
        // Only the prepared statements matter.
      }
    });
    const db = open();
    const plans = prepared.map(({ sql }) => planOf(db, sql)).filter((plan) => plan.length > 0);
    expect(plans.length).toBeGreaterThanOrEqual(2);
    expect(plans.filter((plan) => plan.some((step) => /^SCAN|TEMP B-TREE|AUTOMATIC/.test(step)))).toEqual([]);
  });

  const formerStatements = [
    "SELECT pos_reference, version FROM orders WHERE is_active = 1 ORDER BY seq DESC",
    `SELECT v.body FROM orders o JOIN order_versions v ON v.id = o.body_id WHERE o.is_active = 1 OR o.updated_at >= ?
     ORDER BY o.seq`,
    "SELECT pos_reference FROM orders WHERE seq > 0",
    "SELECT count(*) FROM orders WHERE status = 'paid'",
    "SELECT pos_reference FROM orders WHERE seq < ? ORDER BY updated_at LIMIT 5",
  ];
  it.each(formerStatements)("the query check rejects %s [ORDER-70]", (sql) => {
    expect(offencesOf(open(), sql)).not.toEqual([]);
  });
});

/** Makes the requests of terminals, integrations and managers, to cover the hub's statements. */
async function visitEverything(hub: TestHub): Promise<void> {
  const till = await hub.terminal({ login: "manager", deviceId: "till" });
  const external = hub.external();
  const upsert = (posReference: string) =>
    till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
  for (const posReference of ["PAID", "GONE", "OPEN"]) await upsert(posReference);
  const payments = [{ methodId: 1, amount: 100 }];
  await till.change({ type: "ORDER_PAY", posReference: "PAID", baseVersion: 1, payments });
  await till.change({ type: "ORDER_DISCARD", posReference: "GONE", baseVersion: 1 });
  const tenderId = crypto.randomUUID();
  await till.change({ type: "ORDER_TENDER", tenderId, posReference: "OPEN", methodId: 1, amount: 5 });
  await till.change({ type: "ORDER_TENDER_VOID", tenderId, reason: "wrong check" });
  await till.change({ type: "ORDER_SEND", posReference: "OPEN", baseVersion: 1 });
  till.send({ type: "TABLE_LOCK", tableId: 28, ttlMs: 1000 });
  till.send({ type: "RESYNC", since: { hubId: till.sync.hubId, epoch: till.sync.epoch, seq: 1 } });
  await till.next("SYNC");

  const { body: created } = await external.post("/orders", dineInOrder(31));
  await external.patch(`/orders/${encodeURIComponent(created.posReference)}`, { baseVersion: 1, notes: "no onions" });
  await external.post("/orders", takeoutOrder({ externalRef: "one" }));
  await external.post("/webhooks", { url: "http://127.0.0.1:9/hook", events: ["*"] });
  await external.post("/plugins/reservations/events", { key: "one", payload: {} });
  for (const path of ["/orders", "/orders?status=all", "/tables", "/floor-plan", "/session", "/webhooks"]) {
    expect((await external.get(path)).status).toBe(200);
  }
  await until("it is forwarded", async () => (await hub.send("GET", "/health")).body.totalForwarded === 1);

  const call = operatorOf(hub);
  const params = {
    posReference: "PAID",
    version: 1,
    eventId: 1,
    paymentId: 1,
    lossId: 1,
    terminalId: "till",
    webhookId: "none",
    deliveryId: 1,
    name: "none",
    pluginId: "reservations",
    key: "one",
    keyId: "none",
  };
  const queries: Partial<Record<OperatorRouteName, Record<string, string | number>[]>> = {
    orders: [
      ...["active", "paid", "removed", "attention", "all"].flatMap((status) => [{ status }, { status, search: "a" }]),
      { status: "all", tableId: 31, orderType: "dine_in" },
    ],
    forwardEvents: ["pending", "attention", "done"].flatMap((state) => [{ state }, { state, search: "P" }]),
    deliveries: ["pending", "delivered", "dead", "parked"].flatMap((state) => [{ state }, { state, search: "P" }]),
    payments: [{ state: "open" }, { state: "settled" }],
    losses: [{ state: "open" }, { state: "settled" }],
    audit: [{}, { search: "a" }],
    kitchen: [{ state: "open" }, { state: "ready" }],
    reservations: [{ date: "2026-11-22" }],
  };
  for (const [name, route] of Object.entries(operatorRoutes) as [OperatorRouteName, HttpRoute][]) {
    if (route.method !== "GET" || route.stream === true) continue;
    for (const query of queries[name] ?? [{}]) {
      const { status } = await call(name, { params, query });
      expect([name, status < 500]).toEqual([name, true]);
    }
  }
  till.close();
}
