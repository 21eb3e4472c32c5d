import type { Database } from "better-sqlite3";

/** PINs, the tokens given for them, and the customers last used. */
export function migrate(db: Database): void {
  db.exec("");
}
