import { crc32 } from "node:zlib";
import { foldText } from "@comanda/protocol";
import type Database from "better-sqlite3";
import { registerPlain } from "./pack.ts";

type Value = string | number | Buffer | null;

/** Connections with the functions below. Registering them again would make SQLite re-prepare every statement. */
const registered = new WeakSet<Database.Database>();

/**
 * Registers SQL functions on a connection. `seal(value, …)` is a checksum over the given columns in their order, because
 * SQLite's own checks do not detect a flipped bit in a value (see sealed-tables.ts). `plain` reads packed versions of
 * orders, and `fold(text)` normalizes texts for searching.
 */
export function registerSeal(db: Database.Database): void {
  if (registered.has(db)) return;
  registered.add(db);
  db.function("seal", { varargs: true, deterministic: true }, (...values: Value[]) =>
    crc32(values.map(textOf).join("\u001f")),
  );
  registerPlain(db);
  db.function("fold", { deterministic: true }, (text: string | null) => (text === null ? null : foldText(text)));
}

/** Converts a value to text. Bytes are decoded as latin1: as UTF-8, different invalid bytes would give the same text. */
function textOf(value: Value): string {
  if (value === null) return "";
  return Buffer.isBuffer(value) ? `bytes ${value.toString("latin1")}` : `${typeof value} ${String(value)}`;
}
