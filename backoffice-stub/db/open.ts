import Database from "better-sqlite3";
import { StartFailure } from "../start-failure.ts";
import { init } from "./migrations/0001-init.ts";

export type Db = Database.Database;

/** Each migration upgrades the file by one version. Released ones are never edited. */
const migrations: readonly ((db: Db) => void)[] = [init];

/**
 * Opens the data file and migrates it to the newest version. Acknowledged writes survive a power cut (WAL, synchronous FULL).
 * The file is locked: a second process fails to open it.
 */
export function openDb(path: string): Db {
  try {
    const db = new Database(path, { timeout: 3000 });
    requireOwnFile(db);
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    db.pragma("foreign_keys = ON");
    check(db);
    migrate(db);
    return db;
  } catch (error) {
    throw new StartFailure(`The data file ${path} (BACKOFFICE_DB_PATH) cannot be used: ${reason(error)}.`);
  }
}

/** Throws if the file belongs to another program. Every version of ours has the table `ncf_sequence`. */
function requireOwnFile(db: Db): void {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  if (tables.length > 0 && !tables.includes("ncf_sequence")) throw new Error("it is no data file of the back-office");
}

function check(db: Db): void {
  if (db.pragma("synchronous", { simple: true }) !== 2) throw new Error("synchronous=FULL could not be set");
  if (db.pragma("quick_check", { simple: true }) !== "ok") throw new Error("it is damaged");
}

function migrate(db: Db): void {
  const from = Number(db.pragma("user_version", { simple: true }));
  if (from > migrations.length) throw new Error(`it was written by a newer version (${from})`);
  migrations.slice(from).forEach((migration, index) => {
    transact(db, () => {
      migration(db);
      db.pragma(`user_version = ${from + index + 1}`);
    });
  });
}

/** Runs `work` in a transaction, or in a savepoint if one is open. A throw rolls back only `work`. */
export function transact<T>(db: Db, work: () => T extends PromiseLike<unknown> ? never : T): T {
  return db.transaction(work).immediate();
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const busy = "code" in error && error.code === "SQLITE_BUSY";
  return busy ? "another program has it open" : error.message.replace(/\.$/, "");
}
