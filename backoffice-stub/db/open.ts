import Database from "better-sqlite3";
import { StartFailure } from "../start-failure.ts";
import { init } from "./migrations/0001-init.ts";

export type Db = Database.Database;

/** Each brings the file one version further; none is edited once it was released. */
const migrations: readonly ((db: Db) => void)[] = [init];

/**
 * Opens the data file and brings it to the newest version. What is acknowledged survives a power cut
 * (WAL, synchronous FULL), and the file belongs to this process alone (a second one is refused at start).
 */
export function openDb(path: string): Db {
  try {
    const db = new Database(path, { timeout: 3000 });
    requireOurs(db);
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

/** Nothing is written to another program's database. The first version has had this table already. */
function requireOurs(db: Db): void {
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

/** Runs `work` in one transaction; inside another one it is a savepoint of it. A throw undoes `work` alone. */
export function transact<T>(db: Db, work: () => T extends PromiseLike<unknown> ? never : T): T {
  return db.transaction(work).immediate();
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const busy = "code" in error && error.code === "SQLITE_BUSY";
  return busy ? "another program has it open" : error.message.replace(/\.$/, "");
}
