import { crc32 } from "node:zlib";
import { foldText } from "@comanda/protocol";
import type Database from "better-sqlite3";
import { registerPlain } from "./pack.ts";

/** To register a function again would have SQLite prepare every statement anew. */
const registered = new WeakSet<Database.Database>();

/**
 * Gives a connection the SQL function `seal(value, …)`: a checksum over the given columns in their order. Money depends
 * on these rows, and a flipped bit in a value passes SQLite's own checks. Gives it `plain` as well, which reads packed
 * versions of orders, and `fold(text)`, by which texts are searched.
 */
export function registerSeal(db: Database.Database): void {
  if (registered.has(db)) return;
  registered.add(db);
  db.function("seal", { varargs: true, deterministic: true }, (...values: (string | number | null)[]) =>
    crc32(values.map((value) => (value === null ? "" : `${typeof value} ${String(value)}`)).join("\u001f")),
  );
  registerPlain(db);
  db.function("fold", { deterministic: true }, (text: string | null) => (text === null ? null : foldText(text)));
}

/** What the checksum of an unapplied payment covers, besides how it was settled. */
export const SEALED_PAYMENT = "mutation_id, pos_reference, terminal_id, user_name, error_code, error, body, at";

/** SQL for the checksum that a row of a table has to have; the columns are those of the row. */
export const sealOf = {
  unapplied_payments: `seal(${SEALED_PAYMENT}, settled_at, settled_by, settled_note)`,
  hub_events: "seal(type, pos_reference, version, created_at, forwarded)",
} as const;
