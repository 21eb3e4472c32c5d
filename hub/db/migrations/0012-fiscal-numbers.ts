import type { Database } from "better-sqlite3";

/** Fiscal numbers that the hub asks for, and those that its orders carry. */
export function migrate(db: Database): void {
  db.exec("");
}
