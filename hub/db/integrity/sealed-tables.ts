import type Database from "better-sqlite3";
import { rowClasses } from "./row-classes.ts";
import { registerSeal } from "../rows/seal.ts";

/** The table that lists which columns the seals of each table cover, so that each file is checked by its own list. */
const SEALS = { table: "seals", columns: ["table_name", "columns"] };

/** Returns SQL for the expected seal of a row; `of` is a prefix for the columns, such as `new.`. */
export function sealOf(columns: readonly string[], of = ""): string {
  return `seal(${columns.map((column) => `${of}"${column}"`).join(", ")})`;
}

/** Cache of `seals` by connection, since it is read for each table and statement. Only `sealRows` writes `seals`. */
const columnsCache = new WeakMap<Database.Database, ReadonlyMap<string, readonly string[]>>();

/** Returns the columns that the seals of each table cover; empty for a file without seals. */
export function sealedColumns(db: Database.Database): ReadonlyMap<string, readonly string[]> {
  const columns = columnsCache.get(db) ?? readSealedColumns(db);
  columnsCache.set(db, columns);
  return columns;
}

function readSealedColumns(db: Database.Database): ReadonlyMap<string, readonly string[]> {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'seals'").get() === undefined) return new Map();
  registerSeal(db);
  const rows = db
    .prepare<[], { table: string; columns: string }>(
      `SELECT table_name AS "table", columns FROM seals WHERE seal IS ${sealOf(SEALS.columns)}`,
    )
    .all();
  // The rows of `seals` are sealed too, over fixed columns.
  return new Map([
    ...rows.map(({ table, columns }) => [table, columns.split(",")] as const),
    [SEALS.table, SEALS.columns],
  ]);
}

/**
 * Returns SQL for whether a row matches its seal. Readers use it where damage matters immediately; the check of the whole file
 * finds all other damage.
 */
export function soundRow(db: Database.Database, table: string): string {
  const columns = sealedColumns(db).get(table);
  if (columns === undefined) throw new Error(`${table} has no seals`);
  return `(seal IS ${sealOf(columns)})`;
}

/**
 * Returns SQL for the seal of a row that a statement writes completely, from the SQL value of each column. Used for the
 * rows that every change writes, because sealing them by trigger costs twice as much.
 */
export function sealWith(db: Database.Database, table: string, values: Readonly<Record<string, string>>): string {
  const covered = (sealedColumns(db).get(table) ?? []).map((column) => {
    const value = values[column];
    if (value === undefined) throw new Error(`${table}.${column} has a seal over it and is not written`);
    return value;
  });
  return `seal(${covered.join(", ")})`;
}

/** A seal that no row matches, since `seal` never returns a negative number. Marks rows that were found damaged. */
export const BROKEN = -1;

/** Marks damaged rows. Call this before writing rows without the triggers, so that existing damage stays detectable. */
export function markBroken(db: Database.Database): void {
  for (const mark of brokenMarks(db)) mark();
}

/** Returns one function per table that marks its damaged rows. */
export function brokenMarks(db: Database.Database): (() => void)[] {
  return [...sealedColumns(db)].map(([table, columns]) => () => {
    db.exec(`UPDATE "${table}" SET seal = ${BROKEN} WHERE seal IS NOT ${sealOf(columns)}`);
  });
}

/** Recomputes the seal of every row over the columns that its table has now. Rows marked as broken stay broken. */
export function sealRows(db: Database.Database): void {
  registerSeal(db);
  db.exec("DELETE FROM seals");
  const note = db.prepare("INSERT INTO seals (table_name, columns) VALUES (?, ?)");
  const all = columnsByTable(db);
  const expected = expectedColumns(all);
  for (const [table, columns] of expected) {
    note.run(table, columns.join(","));
    if (!all.get(table)?.some(({ name }) => name === "seal")) db.exec(`ALTER TABLE "${table}" ADD COLUMN seal INTEGER`);
  }
  for (const [table, columns] of [...expected, [SEALS.table, SEALS.columns] as const]) {
    const seal = sealOf(columns);
    db.exec(`UPDATE "${table}" SET seal = ${seal} WHERE seal IS NULL OR (seal >= 0 AND seal <> ${seal})`);
  }
  columnsCache.delete(db);
}

/** Whether the seals of a file cover the columns that this version of the hub expects. */
export function isSealed(db: Database.Database): boolean {
  const found = sealedColumns(db);
  return [...expectedColumns(columnsByTable(db))].every(
    ([table, columns]) => found.get(table)?.join(",") === columns.join(","),
  );
}

/**
 * Adds temporary triggers that seal every row this connection writes, so that no statement can forget it. A broken row stays
 * broken when only some of its columns are written. A statement that replaces a whole row sets `seal = NULL`, or the seal
 * itself (see `sealWith`).
 */
export function keepSealed(db: Database.Database): void {
  const all = columnsByTable(db);
  const triggers = [...sealedColumns(db)].map(([table, columns]) => sealingTriggers(table, columns, keyOf(all, table)));
  db.transaction(() => db.exec(triggers.join("\n")))();
}

function sealingTriggers(table: string, columns: readonly string[], key: readonly string[]): string {
  const same = key.map((column) => `"${column}" = new."${column}"`).join(" AND ");
  const isUnchanged = `new.seal IS NULL OR old.seal IS ${sealOf(columns, "old.")}`;
  return `
      CREATE TEMP TRIGGER IF NOT EXISTS "sealed_${table}" AFTER INSERT ON main."${table}" WHEN new.seal IS NULL BEGIN
        UPDATE "${table}" SET seal = ${sealOf(columns, "new.")} WHERE ${same};
      END;
      CREATE TEMP TRIGGER IF NOT EXISTS "resealed_${table}" AFTER UPDATE OF ${columns.map((column) => `"${column}"`).join(", ")}
        ON main."${table}" WHEN new.seal IS NULL OR new.seal = old.seal BEGIN
        UPDATE "${table}" SET seal = CASE WHEN ${isUnchanged} THEN ${sealOf(columns, "new.")} ELSE ${BROKEN} END WHERE ${same};
      END;`;
}

/** Drops the triggers, for a schema migration. */
export function stopSealing(db: Database.Database): void {
  const triggers = db.prepare<[], string>("SELECT name FROM temp.sqlite_schema WHERE type = 'trigger'").pluck();
  for (const name of triggers.all()) db.exec(`DROP TRIGGER temp."${name}"`);
}

interface Column {
  name: string;
  /** Its position in the primary key, from 1; 0 if it is not part of the key. */
  pk: number;
}

/** Returns the columns that the seals of each table must cover: those that exist and are not exempted in `rowClasses`. */
function expectedColumns(all: ReadonlyMap<string, readonly Column[]>): Map<string, string[]> {
  const expected = new Map<string, string[]>();
  for (const [table, rows] of Object.entries(rowClasses)) {
    if (rows.kind === "unsealed" || table === SEALS.table) continue;
    const columns = (all.get(table) ?? []).map(({ name }) => name);
    const sealed = columns.filter((column) => column !== "seal" && rows.except?.[column] === undefined);
    if (columns.length > 0) expected.set(table, sealed);
  }
  return expected;
}

function columnsByTable(db: Database.Database): Map<string, Column[]> {
  const columns = db
    .prepare<[], Column & { table: string }>(
      `SELECT t.name AS "table", c.name, c.pk FROM sqlite_schema t JOIN pragma_table_info(t.name) c
       WHERE t.type = 'table' ORDER BY t.name, c.cid`,
    )
    .all();
  return Map.groupBy(columns, ({ table }) => table);
}

function keyOf(all: ReadonlyMap<string, readonly Column[]>, table: string): string[] {
  const key = (all.get(table) ?? []).filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return key.length === 0 ? ["rowid"] : key.map(({ name }) => name);
}
