import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { StartError } from "../errors.ts";
import type { World } from "../world.ts";
import { forkHistory } from "./fork-history.ts";
import { newestVersion } from "./migrate.ts";

const KEPT = 7;
/** 800 KiB: some milliseconds in which nobody writes. */
const PAGES_A_STEP = 200;
const NAME = /^hub-(daily|manual|before-\d+)-[\dTZ-]+\.sqlite$/;

export interface BackupFile {
  name: string;
  path: string;
  bytes: number;
  createdAt: number;
  kind: "daily" | "manual" | "before-migration";
}

/** The backups in a folder, newest first. */
export function listBackups(dir: string): BackupFile[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => NAME.test(name))
    .map((name): BackupFile => {
      const file = path.join(dir, name);
      const { size, mtimeMs } = statSync(file);
      const kind = name.startsWith("hub-daily")
        ? "daily"
        : name.startsWith("hub-manual")
          ? "manual"
          : "before-migration";
      return { name, path: file, bytes: size, createdAt: Math.round(mtimeMs), kind };
    })
    .sort((a, b) => b.createdAt - a.createdAt);
}

/** Keeps everybody from writing: resolves when no transaction is open, and answers how to let go. */
export type Hold = () => Promise<() => void>;

/**
 * Copies the live database in small steps, so that service goes on; answers the new file. A step that meets an open
 * transaction copies nothing, so writers are held for its moment; `hold` may be left out where nobody else writes.
 */
export async function makeBackup(
  db: Database.Database,
  dir: string,
  kind: "daily" | "manual",
  world: World,
  hold: Hold = async () => () => {},
): Promise<BackupFile> {
  const file = backupPath(dir, kind, world);
  const part = `${file}.part`;
  try {
    await copyInSteps(db, part, hold);
    // The copy carries the WAL mark in its header: settled here, so that it is one self-contained file.
    const copy = new Database(part);
    try {
      copy.pragma("journal_mode = DELETE");
      if (!isHubFile(copy)) throw new Error(`the copy ${part} is not whole`);
    } finally {
      copy.close();
    }
    renameSync(part, file);
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(part + suffix, { force: true });
  }
  if (kind === "daily") trimDaily(dir);
  const made = listBackups(dir).find((backup) => backup.path === file);
  if (made === undefined) throw new Error(`backup ${file} vanished`);
  return made;
}

async function copyInSteps(db: Database.Database, target: string, hold: Hold): Promise<void> {
  let isDone = false;
  let hasStepped = false;
  let letGo: (() => void) | null = await hold();
  const holdAgain = async (): Promise<void> => {
    const release = await hold();
    if (isDone) release();
    else letGo = release;
  };
  try {
    await db.backup(target, {
      progress() {
        if (letGo === null) return 0;
        if (!hasStepped) {
          hasStepped = true;
          return PAGES_A_STEP;
        }
        letGo();
        letGo = null;
        hasStepped = false;
        void holdAgain();
        return 0;
      },
    });
  } finally {
    isDone = true;
    letGo?.();
  }
}

/** Says whether a backup is a hub's data file, of a version that this hub knows, and passes SQLite's check. */
export function verifyBackup(file: string): { ok: boolean; detail: string } {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true });
    try {
      const detail = String(db.pragma("quick_check(1)", { simple: true }));
      if (detail !== "ok") return { ok: false, detail };
      const version = Number(db.pragma("user_version", { simple: true }));
      if (version > newestVersion) return { ok: false, detail: `it is of a newer Comanda Hub (schema ${version})` };
      return isHubFile(db) ? { ok: true, detail } : { ok: false, detail: "it is no data file of a Comanda Hub" };
    } finally {
      db.close();
    }
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

function isHubFile(db: Database.Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'hub_state'").get() !== undefined;
}

/** The newest backup that passes the check, or null. */
export function newestGoodBackup(dir: string): string | null {
  return listBackups(dir).find((backup) => verifyBackup(backup.path).ok)?.path ?? null;
}

/** Before a file with content is migrated it is copied; the copy is kept until the operator removes it. */
export function backupBeforeMigration(
  db: Database.Database,
  file: string,
  dir: string,
  newest: number,
  world: World,
): void {
  const version = Number(db.pragma("user_version", { simple: true }));
  if (version === 0 || version === newest) return;
  db.pragma("wal_checkpoint(TRUNCATE)");
  copyFileSync(file, backupPath(dir, `before-${newest}`, world));
}

/**
 * Puts a backup (or nothing, for an empty start) in the place of the data file; what was there is kept beside it.
 * `by` is who asked for it, null when nobody signed in did. The hub must not run.
 */
export function restoreBackup(
  file: string,
  backup: string | null,
  world: World,
  aside = `${file}.replaced-${new Date(world.clock.now()).toISOString().replace(/[:.]/g, "-")}`,
  by: string | null = null,
): void {
  if (backup !== null) {
    const { ok, detail } = verifyBackup(backup);
    if (!ok) throw new StartError(`The backup ${backup} cannot be used: ${detail}.`);
  }
  const next = `${file}.next`;
  if (backup !== null) {
    copyFileSync(backup, next);
    // A restore that was cut off has set the present file aside already; a damaged one was set aside when it was opened.
    const replaced = [aside, file].find((each) => existsSync(each)) ?? newestDamaged(file);
    forkHistory(next, { world, by, backup, replaced, ...(replaced === file && { aside }) });
  }
  // From here on renames only: a power cut leaves either file whole, and doing it all again never overwrites what is aside.
  for (const suffix of ["", "-wal", "-shm"]) {
    if (!existsSync(file + suffix)) continue;
    if (existsSync(aside + suffix)) rmSync(file + suffix);
    else renameSync(file + suffix, aside + suffix);
  }
  if (backup !== null) renameSync(next, file);
  rmSync(decisionFile(file), { force: true });
}

/** The damaged file that was set aside last; null when none was. */
function newestDamaged(file: string): string | null {
  const dir = path.dirname(file);
  const start = `${path.basename(file)}.damaged-`;
  const names = existsSync(dir) ? readdirSync(dir) : [];
  const newest = names
    .filter((name) => name.startsWith(start) && name.endsWith("Z"))
    .sort()
    .at(-1);
  return newest === undefined ? null : path.join(dir, newest);
}

function backupPath(dir: string, kind: string, world: World): string {
  mkdirSync(dir, { recursive: true });
  const stamp = new Date(world.clock.now()).toISOString().replace(/[:.]/g, "-");
  return path.join(dir, `hub-${kind}-${stamp}.sqlite`);
}

function trimDaily(dir: string): void {
  const daily = listBackups(dir).filter((backup) => backup.kind === "daily");
  for (const old of daily.slice(KEPT)) rmSync(old.path, { force: true });
}

/** While this file exists and the data file does not, a damaged data file waits for the operator's decision. */
export function decisionFile(file: string): string {
  return `${file}.needs-decision`;
}
