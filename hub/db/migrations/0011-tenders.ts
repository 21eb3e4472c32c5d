import type { Database } from "better-sqlite3";

/** Payments on checks that are not settled yet, and the identity of a payment through its retries. */
export function migrate(db: Database): void {
  db.exec("");
}
