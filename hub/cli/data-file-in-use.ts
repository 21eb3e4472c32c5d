import { existsSync } from "node:fs";
import Database from "better-sqlite3";

/** Whether a hub (or anything else) has a data file open. A file that is damaged or not there is in nobody's use. */
export function isDataFileInUse(file: string): boolean {
  if (!existsSync(file)) return false;
  let db: Database.Database | null = null;
  try {
    db = new Database(file, { timeout: 200, fileMustExist: true });
    db.exec("BEGIN EXCLUSIVE; ROLLBACK");
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
  } finally {
    db?.close();
  }
}
