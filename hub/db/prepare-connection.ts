import type { Database } from "better-sqlite3";
import { StartError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { migrate } from "./migrate.ts";
import { registerSeal } from "./rows/seal.ts";

/** Older versions of SQLite can corrupt a database when the WAL file is reset at the wrong moment. */
const OLDEST_SQLITE = [3, 51, 3] as const;

/** Configures the writing connection and migrates the schema. Throws a StartError if SQLite is unsuitable. */
export function prepareConnection(db: Database, world: World): Database {
  const version = db.prepare<[], { version: string }>("SELECT sqlite_version() AS version").get()?.version ?? "0";
  if (isOlder(version)) {
    const oldest = OLDEST_SQLITE.join(".");
    throw new StartError("data_file_unusable", `SQLite ${version} is too old; ${oldest} or later is needed.`);
  }
  registerSeal(db);
  db.pragma("synchronous = FULL");
  // With foreign keys, deleting a version would scan the orders that may point at it. The check of the data file finds
  // orders whose version is missing.
  db.pragma("foreign_keys = OFF");
  // 64 MiB: pages that change often are copied into the file only once; after a crash, reading the log takes 0.1 s.
  db.pragma("wal_autocheckpoint = 16000");
  db.pragma("journal_size_limit = 67108864");
  // Keeps the undo data of savepoints in memory: writing it to a file costs more than the commit itself.
  db.pragma("temp_store = MEMORY");
  if (db.pragma("synchronous", { simple: true }) !== 2) {
    throw new StartError("data_file_unusable", "SQLite did not accept synchronous=FULL.");
  }
  migrate(db, world);
  return db;
}

function isOlder(version: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, minimum] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part !== minimum) return part < minimum;
  }
  return false;
}
