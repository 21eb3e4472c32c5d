import Database from "better-sqlite3";
import { pino } from "pino";
import { expect, it } from "vitest";
import { migrate } from "../db/migrate.ts";
import { searchHistory, type HistorySearch } from "../orders/lists/order-search.ts";
import { realWorld } from "../platform/world.ts";
import { terminalSnapshot } from "./builders.ts";
import { operatorOf } from "./operator.ts";
import { planOf, statementsOf } from "./query-plan.ts";
import { startTestHub } from "./start-test-hub.ts";
import { until } from "./until.ts";

const world = realWorld(pino({ level: "silent" }));
const everything = { search: null, tableIds: [], tableId: null, orderType: null };

/** An order as an older hub has stored it. */
function store(db: Database.Database, n: number): void {
  db.prepare(`INSERT INTO orders (pos_reference, version, body_id, seq, status, is_active, order_type, search_text, updated_at)
    VALUES (?, 1, ?, ?, 'closed', 0, 'takeout', '', 1)`).run(`O${n}`, n, n);
}

it("[OP-91] the totals of orders follow what is created, paid and discarded, and no write that was refused", async () => {
  const hub = await startTestHub();
  const call = operatorOf(hub);
  const till = await hub.terminal({ login: "cashier" });
  const totals = async () => {
    const pages = ["all", "paid", "removed"].map((status) => call("orders", { query: { status, limit: 1 } }));
    return (await Promise.all(pages)).map(({ body }) => body.total);
  };
  const upsert = (posReference: string) =>
    till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
  for (const posReference of ["A", "B", "C", "D"]) await upsert(posReference);
  for (const posReference of ["A", "B"]) {
    await till.change({ type: "ORDER_DISCARD", posReference, baseVersion: 1, reason: "test" });
  }
  await upsert("A").catch(() => undefined);
  const pay = { type: "ORDER_PAY", payments: [{ methodId: 1, amount: 100 }] };
  await Promise.all(["C", "D"].map((posReference) => till.change({ ...pay, posReference, baseVersion: 1 })));
  await until("both are booked", async () => (await hub.send("GET", "/health")).body.totalForwarded === 2);
  expect(await totals()).toEqual([4, 2, 2]);
  await hub.restart();
  expect(await totals()).toEqual([4, 2, 2]);
});

it("[OP-91] a file of an older hub is counted once, and no list counts it again", () => {
  const db = new Database(":memory:");
  db.pragma("foreign_keys = OFF");
  migrate(db, world, 8);
  for (let n = 1; n <= 5; n += 1) store(db, n);
  migrate(db, world);
  store(db, 6);
  db.exec("DELETE FROM orders WHERE pos_reference = 'O2'");
  const total = (status: HistorySearch["status"]) => {
    const steps = searchHistory(db, { ...everything, status }, { below: Number.MAX_SAFE_INTEGER, limit: 1 });
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value.total;
    }
  };
  const run = statementsOf(db, () => expect([total("all"), total("paid")]).toEqual([5, 5]));
  const counting = run.filter((sql) => sql.includes("order_counts"));
  expect(counting).toHaveLength(2);
  expect(
    counting.flatMap((sql) => planOf(db, sql)).filter((step) => /\borders\b(?!.*order_active)/.test(step)),
  ).toEqual([]);
});
