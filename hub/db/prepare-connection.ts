import type { Database } from "better-sqlite3";
import { StartError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { migrate } from "./migrate.ts";
import { registerSeal } from "./rows/seal.ts";

/** SQLite below this corrupts a WAL file that is reset at the wrong moment. */
const OLDEST_SQLITE = [3, 51, 3] as const;

/** Sets up the connection that writes, and brings the schema up to date. Throws a StartError. */
export function prepareConnection(db: Database, world: World): Database {
  const version = db.prepare<[], { version: string }>("SELECT sqlite_version() AS version").get()?.version ?? "0";
  if (isOlder(version)) {
    const oldest = OLDEST_SQLITE.join(".");
    throw new StartError("data_file_unusable", `SQLite ${version} is too old; ${oldest} or later is needed.`);
  }
  registerSeal(db);
  db.pragma("synchronous = FULL");
  // With foreign keys each deleted version would cost a scan of the orders that may point at it; the check of the data
  // file finds an order whose version is missing.
  db.pragma("foreign_keys = OFF");
  // 64 MiB: pages that are written often are copied into the file once, and a crash costs a tenth of a second of reading.
  db.pragma("wal_autocheckpoint = 16000");
  db.pragma("journal_size_limit = 67108864");
  // Savepoints keep what they may undo in memory: in a file that costs more than the commit itself.
  db.pragma("temp_store = MEMORY");
  if (db.pragma("synchronous", { simple: true }) !== 2) {
    throw new StartError("data_file_unusable", "SQLite did not accept synchronous=FULL.");
  }
  migrate(db, world);
  return db;
}

function isOlder(version: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, least] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}
