import { crc32 } from "node:zlib";
import { isActive, type StoredOrder } from "@comanda/protocol";
import type Database from "better-sqlite3";
import { isVersionSound, plainColumn } from "./pack.ts";
import { registerSeal, sealOf } from "./seal.ts";

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
  let damaged = 0;
  for (const found of damagedRows(db)) damaged += found.damaged;
  return rowResult(damaged);
}

/**
 * The same step by step, for a thread of its own: yields how much of the file it has read (0 to 1) whenever that is a
 * hundredth more, else nothing. Reads every table and every index to its end, so that SQLite meets each page that the
 * service may meet; with `structure` SQLite's own check of each table comes first. Throws what SQLite throws at damage.
 */
export function* checkStepByStep(
  db: Database.Database,
  { structure }: { structure: boolean },
): Generator<number | undefined, CheckResult> {
  if (structure) {
    for (const { name } of tables(db)) {
      const found = structureResult(String(db.pragma(`quick_check("${name}")`, { simple: true })));
      if (!found.ok) return found;
      yield undefined;
    }
  }
  const total = countRows(db);
  let [damaged, read, reported] = [0, 0, 0];
  for (const slice of damagedRows(db)) {
    damaged += slice.damaged;
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
 * Reads what a power cut may have cost and service stands on, whatever the size of the file: open orders, what waits for
 * the back-office and for a manager, tables and leases. For a start that has no time for more. Throws what SQLite throws
 * at damage.
 */
export function checkNewest(db: Database.Database): CheckResult {
  registerSeal(db);
  let damaged = 0;
  for (const { table, which } of NEWEST) {
    if (sqlOf(db, table) === "") continue;
    const rows = db.prepare<[], Row>(`SELECT *${extraColumns(db, table)} FROM "${table}" ${which}`);
    const isDamaged = damageTests[table] ?? (() => false);
    // The versions themselves are not read here but through their order.
    const isLost = (row: Row): boolean => table === "orders" && isBodyDamaged(row);
    for (const row of rows.iterate()) if (isDamaged(row) || isLost(row)) damaged += 1;
  }
  return rowResult(damaged);
}

const NEWEST = [
  { table: "hub_state", which: "" },
  { table: "orders", which: "INDEXED BY order_active WHERE is_active = 1" },
  { table: "hub_events", which: "INDEXED BY hub_event_waiting WHERE forwarded = 0" },
  { table: "unapplied_payments", which: "INDEXED BY unapplied_payment_open WHERE settled_at IS NULL" },
  { table: "tables", which: "" },
  { table: "leases", which: "" },
] as const;

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

function rowResult(damaged: number): CheckResult {
  return { ok: damaged === 0, isBroken: false, detail: damaged === 0 ? "ok" : `${damaged} stored records are damaged` };
}

/** Reads table after table, a slice at a time, yielding for each how many rows it has and how many contradict their checksum. */
function* damagedRows(db: Database.Database): Generator<{ read: number; damaged: number }> {
  registerSeal(db);
  for (const { name, sql } of tables(db)) {
    const isDamaged = damageTests[name] ?? (() => false);
    const key = keyColumns(db, name, sql);
    const columns = key.map((column) => `"${column}"`).join(", ");
    const extra = isKeyedByRowid(sql) ? "rowid AS rowid, " : "";
    const select = `SELECT ${extra}*${extraColumns(db, name)} FROM "${name}"`;
    const first = db.prepare<unknown[], Row>(`${select} ORDER BY ${columns} LIMIT ${SLICE}`);
    const next = db.prepare<unknown[], Row>(
      `${select} WHERE (${columns}) > (${key.map(() => "?").join(", ")}) ORDER BY ${columns} LIMIT ${SLICE}`,
    );
    for (let rows = first.all(); rows.length > 0;) {
      yield { read: rows.length, damaged: rows.filter(isDamaged).length };
      const last = rows.at(-1) ?? {};
      rows = rows.length < SLICE ? [] : next.all(...key.map((column) => last[column]));
    }
  }
}

type Row = Record<string, unknown>;

/** By table: whether a row contradicts its checksum, or the record that it stands for. */
const damageTests: Readonly<Record<string, (row: Row) => boolean>> = {
  order_versions: (row) => !isVersionSound(row),
  unapplied_payments: (row) => row["sealed"] !== row["checksum"],
  hub_events: (row) => row["sealed"] !== row["checksum"],
  orders: isHeadWrong,
};

/** What has to be read beside a table's own columns to judge its rows. A file of an older schema has no checksums there. */
function extraColumns(db: Database.Database, table: string): string {
  if (table === "orders") {
    return `, (SELECT ${plainColumn(db)} FROM order_versions WHERE id = body_id) AS body,
      (SELECT checksum FROM order_versions WHERE id = body_id) AS body_checksum,
      (SELECT at FROM order_versions WHERE id = body_id) AS written_at`;
  }
  if (table !== "unapplied_payments" && table !== "hub_events") return "";
  const isSealed = Number(db.pragma("user_version", { simple: true })) >= 2;
  return isSealed ? `, ${sealOf[table]} AS sealed` : ", checksum AS sealed";
}

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
