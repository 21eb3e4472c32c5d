import type { Database } from "better-sqlite3";

/** Kitchen tickets as records of their own, which part of them each check holds, and what has run out. */
export function migrate(db: Database): void {
  db.exec("");
}
