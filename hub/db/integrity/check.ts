import { crc32 } from "node:zlib";
import { isActive, type StoredOrder } from "@comanda/protocol";
import type Database from "better-sqlite3";
import { isVersionSound, plainColumn } from "../rows/pack.ts";
import { rowClasses } from "./row-classes.ts";
import { registerSeal } from "../rows/seal.ts";
import { BROKEN, sealedColumns, sealOf } from "./sealed-tables.ts";
import { COUNTED_SESSION } from "../rows/counted-session.ts";

/** How many rows are checked before the check yields, at which point it can be cancelled. */
const SLICE = 100;

/** The result of a check; `detail` is a sentence, or `ok` if nothing is wrong. */
export interface CheckResult {
  ok: boolean;
  /** The file's structure is broken: SQLite cannot be trusted to read or write it. */
  isBroken: boolean;
  detail: string;
}

/** Runs SQLite's check of the whole structure. Blocks for about 1.2 s per gigabyte. */
export function checkStructure(db: Database.Database): CheckResult {
  return structureResult(String(db.pragma("quick_check(1)", { simple: true })));
}

/** Checks the structure, then every row that has a checksum, without yielding. */
export function checkAll(db: Database.Database): CheckResult {
  const structure = checkStructure(db);
  return structure.ok ? checkRows(db) : structure;
}

/** Compares every row with its checksum, without yielding. */
function checkRows(db: Database.Database): CheckResult {
  const damaged: Damaged = new Map();
  for (const found of damagedRows(db)) count(damaged, found.table, found.damaged);
  return rowResult(damaged);
}

/**
 * Checks every row and index step by step, for use in its own thread. Yields the progress (0 to 1) after each percent, and
 * undefined in between. Reads every table and index completely, so that SQLite reads every page that the hub may need.
 * `structure` runs SQLite's check of each table first. `skipsMarked` ignores rows that the hub has already marked as
 * damaged. Throws the SQLite error if SQLite finds damage while reading.
 */
export function* checkStepByStep(
  db: Database.Database,
  { structure, skipsMarked = false }: { structure: boolean; skipsMarked?: boolean },
): Generator<number | undefined, CheckResult> {
  if (structure) {
    for (const { name } of tables(db)) {
      const found = structureResult(String(db.pragma(`quick_check("${name}")`, { simple: true })));
      if (!found.ok) return found;
      yield undefined;
    }
  }
  const total = countRows(db);
  const damaged: Damaged = new Map();
  let [read, reported] = [0, 0];
  for (const slice of damagedRows(db, skipsMarked)) {
    count(damaged, slice.table, slice.damaged);
    read += slice.read;
    const isDue = read - reported >= total / 100;
    if (isDue) reported = read;
    yield isDue ? Math.min(1, read / total) : undefined;
  }
  for (const readIndex of indexReads(db)) {
    readIndex();
    yield undefined;
  }
  return rowResult(damaged);
}

/**
 * Checks the rows that the hub needs first: open orders and tickets, payments of the session, pending work for the back-office
 * and for managers, tables, leases and permissions. A start runs this when a full check would take too long. Throws the SQLite
 * error if SQLite finds damage while reading.
 */
export function checkNewest(db: Database.Database): CheckResult {
  registerSeal(db);
  const damaged: Damaged = new Map();
  for (const [table, newest] of Object.entries(NEWEST)) {
    if (sqlOf(db, table) === "") continue;
    const rows = db.prepare<[], Row>(`SELECT *${extraColumns(db, table)} FROM "${table}" ${newest}`);
    const isDamaged = damageTest(table);
    // Versions of orders are checked through their row in `orders`.
    const isLost = (row: Row): boolean => table === "orders" && isBodyDamaged(row);
    for (const row of rows.iterate()) if (isDamaged(row) || isLost(row)) count(damaged, table, 1);
  }
  return rowResult(damaged);
}

/** For each table, the SQL that selects the rows that `checkNewest` reads. */
const NEWEST = {
  hub_state: "",
  seals: "",
  orders: "INDEXED BY order_active WHERE is_active = 1",
  hub_events: "INDEXED BY hub_event_waiting WHERE forwarded = 0",
  unapplied_payments: "INDEXED BY unapplied_payment_open WHERE settled_at IS NULL",
  kept_changes: "INDEXED BY kept_change_open WHERE settled_at IS NULL",
  takings: `WHERE session = ${COUNTED_SESSION}`,
  fiscal_requests: "",
  // Includes finished tickets that are not packed yet, in case their `is_over` flag is damaged.
  tickets: `WHERE id IN (SELECT id FROM tickets INDEXED BY ticket_open WHERE is_over = 0
    UNION ALL SELECT id FROM tickets INDEXED BY ticket_as_written WHERE is_over = 1 AND packed IS NULL)`,
  item_states: "",
  tables: "",
  joined_tables: "",
  leases: "",
  people: "",
  terminals: "",
  external_keys: "",
  webhook_subscriptions: "",
} as const;

function structureResult(output: string): CheckResult {
  const detail = output.replace("*** in database main ***", "").trim().replace(/\s+/g, " ");
  return { ok: detail === "ok", isBroken: detail !== "ok", detail };
}

function countRows(db: Database.Database): number {
  const counts = tables(db).map(({ name }) =>
    db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM "${name}"`).get(),
  );
  return counts.reduce((total, row) => total + (row?.n ?? 0), 0);
}

/** The number of damaged rows by table. */
type Damaged = Map<string, number>;

function count(damaged: Damaged, table: string, rows: number): void {
  if (rows > 0) damaged.set(table, (damaged.get(table) ?? 0) + rows);
}

function rowResult(damaged: Damaged): CheckResult {
  if (damaged.size === 0) return { ok: true, isBroken: false, detail: "ok" };
  const all = [...damaged.values()].reduce((sum, rows) => sum + rows, 0);
  const summary = [...damaged].map(([table, rows]) => `${rows} of ${table}`).join(", ");
  return { ok: false, isBroken: false, detail: `${all} stored records are damaged: ${summary}` };
}

/** Reads all tables in slices, and yields for each slice the number of rows and of rows that contradict their checksum. */
function* damagedRows(
  db: Database.Database,
  skipsMarked = false,
): Generator<{ table: string; read: number; damaged: number }> {
  registerSeal(db);
  for (const { name, sql } of tables(db)) {
    const isDamaged = damageTest(name, skipsMarked);
    const key = keyColumns(db, name, sql);
    const columns = key.map((column) => `"${column}"`).join(", ");
    const extra = isKeyedByRowid(sql) ? "rowid AS rowid, " : "";
    const select = `SELECT ${extra}*${extraColumns(db, name)} FROM "${name}"`;
    const first = db.prepare<unknown[], Row>(`${select} ORDER BY ${columns} LIMIT ${SLICE}`);
    const next = db.prepare<unknown[], Row>(
      `${select} WHERE (${columns}) > (${key.map(() => "?").join(", ")}) ORDER BY ${columns} LIMIT ${SLICE}`,
    );
    for (let rows = first.all(); rows.length > 0;) {
      yield { table: name, read: rows.length, damaged: rows.filter(isDamaged).length };
      const last = rows.at(-1) ?? {};
      rows = rows.length < SLICE ? [] : next.all(...key.map((column) => last[column]));
    }
  }
}

type Row = Record<string, unknown>;

/** Returns a test for whether a row contradicts its seal, its checksum, or the version that it points at. */
function damageTest(table: string, skipsMarked = false): (row: Row) => boolean {
  // A hub that opens the file deletes damaged copies.
  if (rowClasses[table]?.kind === "copy") return () => false;
  const own = ownTests[table] ?? (() => false);
  const isUnsealed = (row: Row): boolean =>
    row["sealed"] !== row["seal_then"] && !(skipsMarked && row["seal_then"] === BROKEN);
  return (row) => isUnsealed(row) || own(row);
}

const ownTests: Readonly<Record<string, (row: Row) => boolean>> = {
  order_versions: (row) => !isVersionSound(row),
  orders: isHeadWrong,
};

/** Returns the extra columns that the check needs: the stored seal, the expected seal and, for `orders`, the newest version. */
function extraColumns(db: Database.Database, table: string): string {
  return sealColumns(db, table) + (table === "orders" ? bodyColumns() : "");
}

function sealColumns(db: Database.Database, table: string): string {
  const columns = sealedColumns(db).get(table);
  if (columns !== undefined) return `, seal AS seal_then, ${sealOf(columns)} AS sealed`;
  return ", 0 AS seal_then, 0 AS sealed";
}

const bodyColumns = (): string => `, (SELECT ${plainColumn()} FROM order_versions WHERE id = body_id) AS body,
  (SELECT checksum FROM order_versions WHERE id = body_id) AS body_checksum,
  (SELECT at FROM order_versions WHERE id = body_id) AS written_at`;

/** Whether the indexed columns of an order differ from its newest version. */
function isHeadWrong(row: Row): boolean {
  // A damaged version is counted as a row of `order_versions`.
  if (isBodyDamaged(row)) return row["body"] === null;
  try {
    const { posReference, version, tableId, snapshot } = JSON.parse(String(row["body"])) as StoredOrder;
    const isRight =
      posReference === row["pos_reference"] &&
      version === row["version"] &&
      snapshot.status === row["status"] &&
      (isActive(snapshot.status) ? 1 : 0) === row["is_active"] &&
      (tableId ?? null) === row["table_id"] &&
      snapshot.orderType === row["order_type"] &&
      row["written_at"] === row["updated_at"];
    return !isRight;
  } catch {
    return true;
  }
}

/** Whether the version that a row of `orders` points at is missing or does not match its checksum. */
function isBodyDamaged(row: Row): boolean {
  return crc32(String(row["body"])) !== row["body_checksum"];
}

/** Yields for each index a function that reads it completely. */
function* indexReads(db: Database.Database): Generator<() => void> {
  const indexes = db
    .prepare<[], { name: string; tbl: string; sql: string | null }>(
      "SELECT name, tbl_name AS tbl, sql FROM sqlite_schema WHERE type = 'index'",
    )
    .all();
  for (const { name, tbl, sql } of indexes) {
    // The primary key of a WITHOUT ROWID table is the table itself, which has already been read.
    if (sql === null && !isKeyedByRowid(sqlOf(db, tbl))) continue;
    const condition = /\bWHERE\b[\s\S]*$/i.exec(sql ?? "")?.[0] ?? "";
    const count = db.prepare(`SELECT count(*) FROM "${tbl}" INDEXED BY "${name}" ${condition}`);
    yield () => void count.get();
  }
}

function tables(db: Database.Database): { name: string; sql: string }[] {
  return db
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
    .all()
    .filter(({ name }) => !name.startsWith("sqlite_"));
}

function sqlOf(db: Database.Database, table: string): string {
  return db.prepare<[string], { sql: string }>("SELECT sql FROM sqlite_schema WHERE name = ?").get(table)?.sql ?? "";
}

function isKeyedByRowid(sql: string): boolean {
  return !/WITHOUT\s+ROWID/i.test(sql);
}

function keyColumns(db: Database.Database, table: string, sql: string): string[] {
  if (isKeyedByRowid(sql)) return ["rowid"];
  const columns = db.pragma(`table_info("${table}")`) as { name: string; pk: number }[];
  return columns
    .filter((column) => column.pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map((column) => column.name);
}
