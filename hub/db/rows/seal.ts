import { crc32 } from "node:zlib";
import { foldText } from "@comanda/protocol";
import type Database from "better-sqlite3";
import { registerPlain } from "./pack.ts";

type Value = string | number | Buffer | null;

/** Registering a function again makes SQLite prepare every statement again. */
const registered = new WeakSet<Database.Database>();

/**
 * Gives a connection the SQL function `seal(value, …)`: a checksum over the given columns in their order. A flipped
 * bit in a value passes SQLite's own checks (see sealed-tables.ts). Gives it `plain` as well, which reads packed
 * versions of orders, and `fold(text)`, by which texts are searched.
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

/** Bytes as characters of the same codes: as UTF-8 different ones may read the same. */
function textOf(value: Value): string {
  if (value === null) return "";
  return Buffer.isBuffer(value) ? `bytes ${value.toString("latin1")}` : `${typeof value} ${String(value)}`;
}
