import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import type { World } from "../world.ts";
import { checkStepByStep, type CheckResult } from "./check.ts";
import { fileStamp } from "./files.ts";
import { newestVersion } from "./migrate.ts";
import { copyPrivate, createPrivate, makePrivateFolder } from "./private-files.ts";

const KEPT = 7;
/** 800 KiB: some milliseconds in which nobody writes. */
const PAGES_A_STEP = 200;
const NAME = /^hub-(daily|manual|before-\d+)-([\dTZ-]+)\.sqlite$/;
const PARTIAL_NAME = /^hub-(daily|manual)-[\dTZ-]+\.sqlite\.part(-wal|-shm|-journal)?$/;

export interface BackupFile {
  name: string;
  path: string;
  bytes: number;
  /** When it was made by the clock of then, ms since 1970. */
  createdAt: number;
  kind: "daily" | "manual" | "before-migration";
}

/** Where a backup stands among those of its hub: by its content, since clocks and file times may lie. */
interface Place {
  generation: number;
  seq: number;
  /** Of which data file it is; null where it does not say. */
  fileName: string | null;
}

/** The backups in a folder, newest content first; those that cannot be read come last. */
export function listBackups(dir: string): BackupFile[] {
  return placedBackups(dir).map(({ file }) => file);
}

/** The backups in a folder that may be of the data file with this name. */
export function backupsOf(dir: string, fileName: string): BackupFile[] {
  return placedBackups(dir).flatMap(({ file, place }) =>
    place === null || place.fileName === null || place.fileName === fileName ? [file] : [],
  );
}

/** The highest number of a history among the backups in a folder. */
export function newestGeneration(dir: string): number {
  return Math.max(0, ...placedBackups(dir).map(({ place }) => place?.generation ?? 0));
}

function placedBackups(dir: string): { file: BackupFile; place: Place | null }[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .flatMap((name) => {
      const stamp = NAME.exec(name)?.[2];
      if (stamp === undefined) return [];
      const file = path.join(dir, name);
      const { size, mtimeMs } = statSync(file);
      const kind: BackupFile["kind"] = name.startsWith("hub-daily")
        ? "daily"
        : name.startsWith("hub-manual")
          ? "manual"
          : "before-migration";
      const createdAt = timeOfStamp(stamp) ?? Math.round(mtimeMs);
      return [{ file: { name, path: file, bytes: size, createdAt, kind }, place: readBackupPlace(file) }];
    })
    .sort(
      (a, b) =>
        (b.place?.generation ?? -1) - (a.place?.generation ?? -1) ||
        (b.place?.seq ?? -1) - (a.place?.seq ?? -1) ||
        b.file.createdAt - a.file.createdAt,
    );
}

function readBackupPlace(file: string): Place | null {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    const isNumbered = Number(db.pragma("user_version", { simple: true })) >= 2;
    const columns = isNumbered ? "generation, seq, file_name AS fileName" : "0 AS generation, seq, NULL AS fileName";
    return db.prepare<[], Place>(`SELECT ${columns} FROM hub_state`).get() ?? null;
  } catch {
    return null;
  } finally {
    db?.close();
  }
}

/** `2026-11-21T18-30-00-000Z` as ms since 1970; null where it is no time. */
function timeOfStamp(stamp: string): number | null {
  const at = Date.parse(stamp.replace(/T(\d\d)-(\d\d)-(\d\d)-/, "T$1:$2:$3."));
  return Number.isNaN(at) ? null : at;
}

/** Clears away what backups that were cut off have left. */
export function removePartialBackups(dir: string): void {
  if (!existsSync(dir)) return;
  for (const name of readdirSync(dir)) {
    if (PARTIAL_NAME.test(name)) rmSync(path.join(dir, name), { force: true });
  }
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
    createPrivate(part);
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

/** Says whether a file is a hub's data file, of a version that this hub knows, whole and with every record as it was written. */
export function verifyBackup(file: string): Verdict {
  const steps = verifyStepByStep(file);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same step by step, for a thread of its own: yields now and then how much of it was read, from 0 to 1. */
export function* verifyStepByStep(file: string): Generator<number | undefined, Verdict> {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    return judgeFile(db) ?? verdictOf(yield* checkStepByStep(db, { structure: true }));
  } catch (error) {
    return unreadable(error);
  } finally {
    db?.close();
  }
}

/** Whether a backup can be relied on; `detail` is `ok` or what is wrong. */
export interface Verdict {
  ok: boolean;
  detail: string;
}

/** What speaks against a file before its records are read; null when nothing does. */
function judgeFile(db: Database.Database): Verdict | null {
  const version = Number(db.pragma("user_version", { simple: true }));
  if (version > newestVersion) return { ok: false, detail: `it is of a newer Comanda Hub (schema ${version})` };
  return isHubFile(db) ? null : { ok: false, detail: "it is no data file of a Comanda Hub" };
}

function verdictOf({ ok, detail }: CheckResult): Verdict {
  return { ok, detail };
}

function unreadable(error: unknown): Verdict {
  return { ok: false, detail: error instanceof Error ? error.message : String(error) };
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
  copyPrivate(file, backupPath(dir, `before-${newest}`, world));
}

function backupPath(dir: string, kind: string, world: World): string {
  makePrivateFolder(dir);
  return path.join(dir, `hub-${kind}-${fileStamp(world.clock.now())}.sqlite`);
}

function trimDaily(dir: string): void {
  const daily = listBackups(dir).filter((backup) => backup.kind === "daily");
  for (const old of daily.slice(KEPT)) rmSync(old.path, { force: true });
}
