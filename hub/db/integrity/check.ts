import { crc32 } from "node:zlib";
import { isActive, type StoredOrder } from "@comanda/protocol";
import type Database from "better-sqlite3";
import { isVersionSound, plainColumn } from "../rows/pack.ts";
import { rowClasses } from "./row-classes.ts";
import { registerSeal } from "../rows/seal.ts";
import { BROKEN, sealedColumns, sealOf } from "./sealed-tables.ts";

/** Rows that are compared between two looks at whether the check is still wanted. */
const SLICE = 100;

/** What a check found; `detail` is a sentence, `ok` where nothing is wrong. */
export interface CheckResult {
  ok: boolean;
  /** The file's structure is broken: SQLite cannot be trusted to read or write it. */
  isBroken: boolean;
  detail: string;
}

/** SQLite's own check of the whole structure. Blocks: about 1.2 s a gigabyte. */
export function checkStructure(db: Database.Database): CheckResult {
  return structureResult(String(db.pragma("quick_check(1)", { simple: true })));
}

/** The whole check in one go: structure, then every row that carries a checksum. */
export function checkAll(db: Database.Database): CheckResult {
  const structure = checkStructure(db);
  return structure.ok ? checkRows(db) : structure;
}

/** Compares every record with its checksum, in one go. */
function checkRows(db: Database.Database): CheckResult {
  const damaged: Damaged = new Map();
  for (const found of damagedRows(db)) count(damaged, found.table, found.damaged);
  return rowResult(damaged);
}

/**
 * The same step by step, for a thread of its own: yields how much of the file it has read (0 to 1) whenever that is a
 * hundredth more, else nothing. Reads every table and every index to its end, so that SQLite meets each page that the
 * service may meet; with `structure` SQLite's own check of each table comes first. With `skipsMarked` rows do not count that
 * the hub has marked as damaged. Throws what SQLite throws at damage.
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
 * Reads what service stands on, whatever the size of the file: open orders and tickets, money of the session, what waits
 * for the back-office and for a manager, tables and leases, who may do what. For a start that has no time for more. Throws
 * what SQLite throws at damage.
 */
export function checkNewest(db: Database.Database): CheckResult {
  registerSeal(db);
  const damaged: Damaged = new Map();
  for (const [table, which] of Object.entries(NEWEST)) {
    if (sqlOf(db, table) === "") continue;
    const rows = db.prepare<[], Row>(`SELECT *${extraColumns(db, table)} FROM "${table}" ${which}`);
    const isDamaged = damageTest(table);
    // The versions themselves are not read here but through their order.
    const isLost = (row: Row): boolean => table === "orders" && isBodyDamaged(row);
    for (const row of rows.iterate()) if (isDamaged(row) || isLost(row)) count(damaged, table, 1);
  }
  return rowResult(damaged);
}

/** Of each table the rows that a start reads. */
const NEWEST = {
  hub_state: "",
  seals: "",
  orders: "INDEXED BY order_active WHERE is_active = 1",
  hub_events: "INDEXED BY hub_event_waiting WHERE forwarded = 0",
  unapplied_payments: "INDEXED BY unapplied_payment_open WHERE settled_at IS NULL",
  kept_changes: "INDEXED BY kept_change_open WHERE settled_at IS NULL",
  takings: "WHERE at >= (SELECT at FROM remembered WHERE name = 'sessionSince')",
  fiscal_requests: "",
  // Those that are not packed yet, also where nothing but a damaged flag says that they are over.
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

function structureResult(said: string): CheckResult {
  const detail = said.replace("*** in database main ***", "").trim().replace(/\s+/g, " ");
  return { ok: detail === "ok", isBroken: detail !== "ok", detail };
}

function countRows(db: Database.Database): number {
  const counts = tables(db).map(({ name }) =>
    db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM "${name}"`).get(),
  );
  return counts.reduce((total, row) => total + (row?.n ?? 0), 0);
}

/** How many rows of which table are damaged. */
type Damaged = Map<string, number>;

function count(damaged: Damaged, table: string, rows: number): void {
  if (rows > 0) damaged.set(table, (damaged.get(table) ?? 0) + rows);
}

function rowResult(damaged: Damaged): CheckResult {
  if (damaged.size === 0) return { ok: true, isBroken: false, detail: "ok" };
  const all = [...damaged.values()].reduce((sum, rows) => sum + rows, 0);
  const where = [...damaged].map(([table, rows]) => `${rows} of ${table}`).join(", ");
  return { ok: false, isBroken: false, detail: `${all} stored records are damaged: ${where}` };
}

/** Reads table after table, a slice at a time, yielding for each how many rows it has and how many contradict their checksum. */
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

/** Whether a row of a table contradicts its seal, its checksum, or the record that it stands for. */
function damageTest(table: string, skipsMarked = false): (row: Row) => boolean {
  // Copies that are damaged are forgotten by the hub that opens the file.
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

/** What has to be read beside a table's own columns to judge its rows: its seal, as it is and as it should be. */
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

/** The columns by which an order is found have to say what its newest version says. */
function isHeadWrong(row: Row): boolean {
  // A damaged version is counted where it is stored.
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

/** Whether the version that a row of `orders` points at is missing or contradicts its checksum. */
function isBodyDamaged(row: Row): boolean {
  return crc32(String(row["body"])) !== row["body_checksum"];
}

/** For each index what reads it to its end. */
function* indexReads(db: Database.Database): Generator<() => void> {
  const indexes = db
    .prepare<[], { name: string; tbl: string; sql: string | null }>(
      "SELECT name, tbl_name AS tbl, sql FROM sqlite_schema WHERE type = 'index'",
    )
    .all();
  for (const { name, tbl, sql } of indexes) {
    // The key of a table WITHOUT ROWID is the table itself, which has been read.
    if (sql === null && !isKeyedByRowid(sqlOf(db, tbl))) continue;
    const where = /\bWHERE\b[\s\S]*$/i.exec(sql ?? "")?.[0] ?? "";
    const count = db.prepare(`SELECT count(*) FROM "${tbl}" INDEXED BY "${name}" ${where}`);
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
