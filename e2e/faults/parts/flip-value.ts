import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { rowClasses } from "../../../hub/db/integrity/row-classes.ts";
import type { Random } from "../random.ts";

/** The flipped value, and whether the hub must report it. Rows that are copies of other systems' data are reloaded silently. */
export interface FlippedValue {
  description: string;
  mustBeReported: boolean;
}

/** Flips one bit of a value that money, the kitchen or a promise depends on. SQLite itself would never notice it. */
export function flipValue(file: string, random: Random): FlippedValue {
  const db = new Database(file);
  try {
    db.pragma("ignore_check_constraints = ON");
    const tables = Object.entries(rowClasses).filter(
      ([table, { kind }]) => kind !== "unsealed" && db.prepare(`SELECT 1 FROM "${table}" LIMIT 1`).get() !== undefined,
    );
    const [table, rows] = random.pick(tables);
    const except = rows.kind === "unsealed" ? {} : (rows.except ?? {});
    const row = pickRow(db, table, random);
    const columns = Object.keys(row).filter(
      (column) => column !== "seal" && except[column] === undefined && flipped(row[column], 0) !== null,
    );
    const column = random.pick(columns);
    const length = String(row[column]).length;
    const value = flipped(row[column], random.int(0, length * 5 - 1));
    const same = Object.keys(row).map((name) => `"${name}" IS ?`);
    const sql = `UPDATE OR IGNORE "${table}" SET "${column}" = ? WHERE ${same.join(" AND ")}`;
    const { changes } = db.prepare(sql).run(value, ...Object.values(row));
    db.pragma("wal_checkpoint(TRUNCATE)");
    return {
      description: `${table}.${column} flipped to ${String(value).slice(0, 80)}`,
      mustBeReported: changes > 0 && rows.kind === "sealed",
    };
  } finally {
    db.close();
    for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
  }
}

function pickRow(db: Database.Database, table: string, random: Random): Record<string, unknown> {
  const count = Number(db.prepare(`SELECT count(*) FROM "${table}"`).pluck().get());
  const row = db.prepare<[number], Record<string, unknown>>(`SELECT * FROM "${table}" LIMIT 1 OFFSET ?`);
  return row.get(random.int(0, count - 1)) ?? {};
}

/** Returns a value with one bit flipped, or null if no flip keeps its type. */
function flipped(value: unknown, bit: number): unknown {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value % 2 === 0 ? value + 1 : value - 1;
  if (typeof value !== "string" || value === "") return null;
  const at = Math.floor(bit / 5) % value.length;
  const changed = String.fromCharCode(value.charCodeAt(at) ^ (1 << (bit % 5)));
  return value.slice(0, at) + changed + value.slice(at + 1);
}
