import { existsSync, mkdirSync, renameSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { StartError } from "../errors.ts";
import type { World } from "../world.ts";
import { migrate, newestVersion } from "./migrate.ts";
import { backupBeforeMigration, decisionFile, newestGoodBackup } from "./backup.ts";

export type Db = Database.Database;

/** SQLite below this corrupts a WAL file that is reset at the wrong moment. */
const OLDEST_SQLITE = [3, 51, 3] as const;
/** A file up to this size is checked at every start, in some 40 ms; a larger one after an unclean end. */
const ALWAYS_CHECKED_BYTES = 32 * 1024 * 1024;

/**
 * Opens the data file for this process alone, checks it after an unclean end, and brings its schema up to date.
 * Throws a StartError when it is in use, from a newer version, damaged, or waits for the operator's decision after damage.
 */
export function openDatabase(file: string, backupDir: string, world: World): Db {
  if (file === ":memory:") return prepare(new Database(file), world);
  const undecided = readDecision(file);
  if (undecided !== null) throw new StartError(undecided);
  makeFolder(file);
  const uncleanEnd = sizeOf(`${file}-wal`) > 0;
  const isChecked = uncleanEnd || sizeOf(file) <= ALWAYS_CHECKED_BYTES;
  let db: Db | undefined;
  try {
    db = new Database(file, { timeout: 200 });
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("journal_mode = WAL");
    // Takes the exclusive lock now, so that a second hub on this file fails here and not in the middle of service.
    db.exec("BEGIN IMMEDIATE; COMMIT");
    if (isChecked) checkContent(db, world);
    refuseNewerFile(db, file);
    backupBeforeMigration(db, file, backupDir, newestVersion, world);
    return prepare(db, world);
  } catch (error) {
    db?.close();
    throw asStartError(error, file, backupDir, world);
  }
}

function prepare(db: Db, world: World): Db {
  const version = db.prepare<[], { version: string }>("SELECT sqlite_version() AS version").get()?.version ?? "0";
  if (isOlder(version))
    throw new StartError(`SQLite ${version} is too old; ${OLDEST_SQLITE.join(".")} or later is needed.`);
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  // 64 MiB: what is written again and again is copied into the file once, and a crash costs a tenth of a second of reading.
  db.pragma("wal_autocheckpoint = 16000");
  db.pragma("journal_size_limit = 67108864");
  // What a savepoint would take back waits in memory: in a file it costs more than the commit itself.
  db.pragma("temp_store = MEMORY");
  if (db.pragma("synchronous", { simple: true }) !== 2) throw new StartError("SQLite did not accept synchronous=FULL.");
  migrate(db, world);
  return db;
}

/** What an operator has to decide before a hub whose data file was set aside may start again; null when nothing. */
function readDecision(file: string): string | null {
  const marker = decisionFile(file);
  return existsSync(marker) && !existsSync(file) ? readFileSync(marker, "utf8") : null;
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}

/** Step by step: Node's own recursive way never ends where a folder cannot be made in an existing one. */
function makeFolder(file: string): void {
  const missing: string[] = [];
  for (let dir = path.dirname(file); !existsSync(dir); dir = path.dirname(dir)) missing.unshift(dir);
  try {
    for (const dir of missing) mkdirSync(dir);
  } catch {
    throw new StartError(`The folder of the data file ${file} (HUB_DB_PATH) cannot be made or written.`);
  }
}

function checkContent(db: Db, world: World): void {
  const started = world.clock.monotonic();
  const result = db.pragma("quick_check(1)", { simple: true });
  world.log.info({ ms: Math.round(world.clock.monotonic() - started) }, "data file checked");
  if (result !== "ok") throw new DamagedFile(String(result));
}

function refuseNewerFile(db: Db, file: string): void {
  const version = Number(db.pragma("user_version", { simple: true }));
  if (version > newestVersion) {
    throw new StartError(
      `The data file ${file} (HUB_DB_PATH) was written by a newer Comanda Hub (schema ${version}, this one knows ${newestVersion}); start that version, or restore a backup made before it.`,
    );
  }
}

class DamagedFile extends Error {}

function asStartError(error: unknown, file: string, backupDir: string, world: World): unknown {
  if (error instanceof StartError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("SQLITE_BUSY")) {
    return new StartError(`The data file ${file} (HUB_DB_PATH) is in use by another program, probably a second hub.`);
  }
  if (error instanceof DamagedFile || code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB") {
    return setAside(file, backupDir, world);
  }
  if (code.startsWith("SQLITE_")) {
    return new StartError(
      `The data file ${file} (HUB_DB_PATH) cannot be used: ${error instanceof Error ? error.message : code}.`,
    );
  }
  return error;
}

/** Moves a damaged file out of the way, never deletes it, and leaves word of what the operator can do. */
function setAside(file: string, backupDir: string, world: World): StartError {
  const aside = `${file}.damaged-${new Date(world.clock.now()).toISOString().replace(/[:.]/g, "-")}`;
  for (const suffix of ["", "-wal", "-shm"]) {
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  }
  const backup = newestGoodBackup(backupDir);
  const offer =
    backup === null
      ? "there is no backup; begin with an empty file: npm run hub -- restore --empty"
      : `the newest good backup is ${backup}; restore it: npm run hub -- restore ${backup}`;
  const sentence = `The data file ${file} (HUB_DB_PATH) is damaged and was set aside as ${aside}; ${offer}`;
  writeFileSync(decisionFile(file), sentence);
  return new StartError(sentence);
}

function isOlder(version: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, least] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}
