import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import type { DataFileDoubtKind } from "@comanda/protocol";
import { isCorrupt, StartError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { backupsOf, removePartialBackups } from "./backup-files.ts";
import { compactCopyOf } from "./compact.ts";
import { createDataFile } from "./create-data-file.ts";
import { inUse, isBusy, lockDataFile } from "./data-file-lock.ts";
import { clearSuspicion, markSuspect, readSuspicion } from "./data-file-watch.ts";
import { encryptPlainSecrets } from "./encrypt-plain-secrets.ts";
import { asideName, decisionFile, listAsides, moveFiles, movesAside, removeDatabase } from "./files.ts";
import { inspectDataFile, type Inspection } from "./inspect.ts";
import { forgetLastSeen, isLastSeenNoted, noteLastSeen } from "./last-seen.ts";
import { backupBeforeMigration } from "./make-backup.ts";
import { migrate, newestVersion } from "./migrate.ts";
import { readPlace } from "./place.ts";
import { makePrivateFolder, tightenFiles, writePrivate } from "./private-files.ts";
import { registerSeal } from "./seal.ts";
import { createSecretCipher, keyFileOf, type SecretCipher } from "./secret-cipher.ts";
import { finishStagedRestore, type RestoreOutcome } from "./staged-restore.ts";
import { newestGoodBackup } from "./verify-backup.ts";

export type Db = Database.Database;

/** A data file that this process alone writes. */
export interface DataFile {
  db: Db;
  /** Encrypts what is secret in it, with the key file beside it. */
  cipher: SecretCipher;
  /** The restore that was carried out, or given up, before it was opened. */
  restore: RestoreOutcome | null;
  /** What is wrong with it already. */
  doubts: { kind: Exclude<DataFileDoubtKind, "disk_failed">; detail: string }[];
  /** After an unclean end: SQLite's check of the whole structure, which takes long in a large file, is still to be made. */
  isStructureUnchecked: boolean;
  /** Marks it as whole and closes it; never throws, since everything acknowledged is in it. */
  close(): void;
}

export interface OpenOptions {
  file: string;
  backupDir: string;
  /** Begin with an empty file where one is missing that this hub has had; otherwise that is asked. */
  allowEmpty?: boolean;
  world: World;
}

/** SQLite below this corrupts a WAL file that is reset at the wrong moment. */
const OLDEST_SQLITE = [3, 51, 3] as const;
/** So many former epochs are known by their last seq: a terminal that was away longer gets everything anyway. */
const FORMER_EPOCHS = 20;

/**
 * Opens the data file, which this process alone writes: finishes a staged restore, looks before anything is written, checks after an
 * unclean end, brings the schema up to date. Throws a StartError when the file is in use, of a newer version, damaged,
 * missing although there was one, or not a hub's; whatever lies there is then kept untouched.
 */
export function openDataFile(options: OpenOptions): DataFile {
  const { file, backupDir, world } = options;
  makeFolder(file);
  const lock = lockDataFile(file);
  let db: Db | undefined;
  try {
    tightenFiles(file, backupDir);
    removePartialBackups(backupDir);
    removeDatabase(compactCopyOf(file));
    const restore = finishStagedRestore(file, backupDir, world);
    const suspicion = readSuspicion(file);
    const found = requireUsable(inspectDataFile(file, suspicion !== null), options);
    db = new Database(file, { timeout: 200 });
    db.pragma("journal_mode = WAL");
    // An older hub, which holds the whole file, is met here. Reading beside us is for our own jobs (hub/jobs).
    db.exec("BEGIN IMMEDIATE; COMMIT");
    backupBeforeMigration(db, { file, dir: backupDir, newest: newestVersion, now: world.clock.now() });
    prepare(db, world);
    const cipher = createSecretCipher(keyFileOf(file), world);
    encryptPlainSecrets(db, cipher, world);
    beginRun(db, path.basename(file), found.isClean && found.loss === null, world);
    if (found.check !== null && found.check.ok) clearSuspicion(file);
    if (found.loss !== null) markSuspect(file, found.loss);
    noteLastSeen(file, readPlace(db));
    const opened = db;
    return {
      db: opened,
      cipher,
      restore,
      isStructureUnchecked: found.isStructureUnchecked,
      doubts: [
        ...(found.loss === null ? [] : [{ kind: "lost_changes" as const, detail: found.loss }]),
        ...(found.check === null || found.check.ok
          ? []
          : [{ kind: "damaged_records" as const, detail: found.check.detail }]),
      ],
      close() {
        closeQuietly(opened, file, world);
        lock.release();
      },
    };
  } catch (error) {
    db?.close();
    const startError = asStartError(error, options);
    lock.release();
    throw startError;
  }
}

/** A data file in memory, for what needs a schema and no file. */
export function openMemory(world: World): Db {
  return prepare(new Database(":memory:"), world);
}

type UsableFile = Extract<Inspection, { kind: "data_file" }>;

/** Answers what was found where the hub can work with it; makes an empty file where there never was one. */
function requireUsable(found: Inspection, options: OpenOptions): UsableFile {
  const { file, world } = options;
  switch (found.kind) {
    case "data_file":
      if (found.schemaVersion > newestVersion) throw newerFile(file, found.schemaVersion);
      rmSync(decisionFile(file), { force: true });
      return found;
    case "foreign":
      throw notOurs(file);
    case "damaged":
      throw setAside(options, found.detail);
    case "nothing": {
      const question = undecided(found, options);
      if (question !== null && options.allowEmpty !== true) throw question;
      removeDatabase(file);
      createDataFile(file, world);
      forgetLastSeen(file);
      rmSync(decisionFile(file), { force: true });
      clearSuspicion(file);
      return {
        kind: "data_file",
        schemaVersion: newestVersion,
        isClean: true,
        loss: null,
        check: null,
        isStructureUnchecked: false,
      };
    }
  }
}

/** What is wrong with the data file of a hub that does not run, in words; null when it can start. Changes nothing. */
export function assessDataFile(file: string, backupDir: string): string | null {
  const found = inspectDataFile(file, true);
  switch (found.kind) {
    case "foreign":
      return notOurs(file).message;
    case "damaged":
      return `${file} is damaged (${found.detail}); ${offer(backupDir)}`;
    case "nothing":
      return hasHadOne(found.walBytes, file, backupDir) ? `${file} is missing or empty; ${offer(backupDir)}` : null;
    case "data_file":
      if (found.schemaVersion > newestVersion) return newerFile(file, found.schemaVersion).message;
      if (found.loss !== null) return `${file}: ${found.loss}`;
      return found.check?.ok === false ? `${file}: ${found.check.detail}` : null;
  }
}

function hasHadOne(walBytes: number, file: string, backupDir: string): boolean {
  return (
    walBytes > 0 ||
    isLastSeenNoted(file) ||
    existsSync(decisionFile(file)) ||
    listAsides(file).length > 0 ||
    backupsOf(backupDir, path.basename(file)).length > 0
  );
}

/** Why an empty start would hide a loss; null where this hub never had a data file here. Sets aside what is left of one. */
function undecided({ walBytes }: { walBytes: number }, { file, backupDir, world }: OpenOptions): StartError | null {
  if (!hasHadOne(walBytes, file, backupDir)) return null;
  const marker = decisionFile(file);
  const asked = existsSync(marker) ? readFileSync(marker, "utf8") : null;
  const left = movesAside(file, asideName(file, "damaged", world.clock.now()));
  moveFiles(left);
  if (asked !== null) return new StartError("data_file_missing", asked);
  const [main] = left;
  const kept = main === undefined ? "" : `; what is left of it was set aside as ${main.to}`;
  const sentence = `The data file ${file} (HUB_DB_PATH) is missing or empty, although this hub has had one${kept}; ${offer(backupDir)}`;
  return decisionNeeded(file, "data_file_missing", sentence);
}

/** Moves a damaged file out of the way as it was found, never deletes it, and leaves word of what can be done. */
function setAside({ file, backupDir, world }: OpenOptions, detail: string): StartError {
  const aside = asideName(file, "damaged", world.clock.now());
  world.log.error({ detail, aside }, "the data file is damaged");
  moveFiles(movesAside(file, aside));
  clearSuspicion(file);
  const sentence = `The data file ${file} (HUB_DB_PATH) is damaged and was set aside as ${aside}; ${offer(backupDir)}`;
  return decisionNeeded(file, "data_file_damaged", sentence);
}

function decisionNeeded(file: string, code: "data_file_damaged" | "data_file_missing", sentence: string): StartError {
  writePrivate(decisionFile(file), sentence);
  return new StartError(code, sentence);
}

function offer(backupDir: string): string {
  const backup = newestGoodBackup(backupDir);
  return backup === null
    ? "there is no backup; begin with an empty file: npm run hub -- --empty"
    : `the newest good backup is ${backup}; restore it: npm run hub -- restore ${backup}`;
}

function prepare(db: Db, world: World): Db {
  const version = db.prepare<[], { version: string }>("SELECT sqlite_version() AS version").get()?.version ?? "0";
  if (isOlder(version)) {
    const oldest = OLDEST_SQLITE.join(".");
    throw new StartError("data_file_unusable", `SQLite ${version} is too old; ${oldest} or later is needed.`);
  }
  registerSeal(db);
  db.pragma("synchronous = FULL");
  // Each version that is deleted would have SQLite read every order for one that points at it; the check of the data file
  // finds an order whose version is missing.
  db.pragma("foreign_keys = OFF");
  // 64 MiB: what is written again and again is copied into the file once, and a crash costs a tenth of a second of reading.
  db.pragma("wal_autocheckpoint = 16000");
  db.pragma("journal_size_limit = 67108864");
  // What a savepoint would take back waits in memory: in a file it costs more than the commit itself.
  db.pragma("temp_store = MEMORY");
  if (db.pragma("synchronous", { simple: true }) !== 2) {
    throw new StartError("data_file_unusable", "SQLite did not accept synchronous=FULL.");
  }
  migrate(db, world);
  return db;
}

/**
 * From here until a clean end the file itself says that a hub runs on it: the mark must not be lost with the log. After
 * an unclean end history may have forked, so a new epoch sends every terminal back to a full SYNC.
 */
function beginRun(db: Db, fileName: string, wasClean: boolean, world: World): void {
  db.prepare("UPDATE hub_state SET is_clean = 0, file_name = ?").run(fileName);
  if (!wasClean) forkEpoch(db, world);
  db.pragma("wal_checkpoint(TRUNCATE)");
}

/** Gives the data file a new epoch and remembers where the former one ended. */
export function forkEpoch(db: Db, world: World): void {
  const row = db
    .prepare<[], { epoch: string; seq: number; formerEpochs: string }>(
      "SELECT epoch, seq, former_epochs AS formerEpochs FROM hub_state",
    )
    .get();
  if (row === undefined) throw new Error("the data file has no hub state");
  const former = [...(JSON.parse(row.formerEpochs) as unknown[]), { epoch: row.epoch, seq: row.seq }];
  db.prepare("UPDATE hub_state SET epoch = ?, former_epochs = ?").run(
    world.random.uuid(),
    JSON.stringify(former.slice(-FORMER_EPOCHS)),
  );
}

function closeQuietly(db: Db, file: string, world: World): void {
  try {
    db.prepare("UPDATE hub_state SET is_clean = 1").run();
    noteLastSeen(file, readPlace(db));
  } catch (error) {
    world.log.error({ err: error }, "the data file could not be marked as closed; the next start checks it");
  }
  try {
    db.close();
  } catch (error) {
    world.log.error({ err: error }, "the data file could not be closed; the next start reads its log");
  }
}

function makeFolder(file: string): void {
  try {
    makePrivateFolder(path.dirname(file));
  } catch {
    throw new StartError(
      "data_file_unusable",
      `The folder of the data file ${file} (HUB_DB_PATH) cannot be made or written.`,
    );
  }
}

function notOurs(file: string): StartError {
  return new StartError("data_file_unusable", `${file} (HUB_DB_PATH) is no data file of a Comanda Hub; name another.`);
}

function newerFile(file: string, version: number): StartError {
  return new StartError(
    "data_file_newer",
    `The data file ${file} (HUB_DB_PATH) was written by a newer Comanda Hub (schema ${version}, this one knows ${newestVersion}); start that version, or restore a backup made before it.`,
  );
}

function asStartError(error: unknown, options: OpenOptions): unknown {
  const { file } = options;
  if (error instanceof StartError) return error;
  if (isBusy(error)) return inUse(file);
  if (isCorrupt(error)) return setAside(options, error.message);
  const reason = error instanceof Error ? error.message : String(error);
  options.world.log.error({ err: error }, "the data file cannot be opened");
  return new StartError("data_file_unusable", `The data file ${file} (HUB_DB_PATH) cannot be used: ${reason}.`);
}

function isOlder(version: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, least] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}
