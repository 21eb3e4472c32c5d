import { crc32 } from "node:zlib";
import type Database from "better-sqlite3";

/**
 * Gives a connection the SQL function `seal(value, …)`: a checksum over the given columns in their order. Money depends
 * on these rows, and a flipped bit in a value passes SQLite's own checks.
 */
export function registerSeal(db: Database.Database): void {
  db.function("seal", { varargs: true, deterministic: true }, (...values: (string | number | null)[]) =>
    crc32(values.map((value) => (value === null ? "" : `${typeof value} ${String(value)}`)).join("\u001f")),
  );
}
