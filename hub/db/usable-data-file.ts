import { logEvent } from "../platform/log-event.ts";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { StartError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { backupsOf, nextGeneration } from "./backups/backup-files.ts";
import { clearSuspicion } from "./integrity/data-file-watch.ts";
import { asideMoves, asideName, decisionFile, listAsides, moveFiles, removeDatabase } from "./files/files.ts";
import { inspectDataFile, type Inspection } from "./inspect.ts";
import { forgetLastSeen, isLastSeenNoted } from "./last-seen.ts";
import { createDataFile, newestVersion } from "./migrate.ts";
import { writePrivate } from "./files/private-files.ts";
import { keyFileOf } from "./files/secret-cipher.ts";
import { newestGoodBackup, ownerBeside } from "./backups/verify-backup.ts";

export interface OpenOptions {
  file: string;
  backupDir: string;
  /** Start with an empty file if the hub's data file is missing. Without this, the operator must decide first. */
  allowEmpty?: boolean;
  /** The caller knows that the hub had a data file. Needed because all traces of it may be on a missing disk. */
  hasHadFile?: boolean;
  world: World;
}

export type UsableFile = Extract<Inspection, { kind: "data_file" }>;

/**
 * Returns the data file that was found if the hub can use it, and creates an empty one if the hub never had one. Otherwise
 * throws a StartError and keeps the existing files.
 */
export function requireUsable(found: Inspection, options: OpenOptions): UsableFile {
  const { file, world } = options;
  switch (found.kind) {
    case "data_file":
      if (found.schemaVersion > newestVersion) throw newerFile(options, found.schemaVersion);
      rmSync(decisionFile(file), { force: true });
      return found;
    case "foreign":
      throw notAHubFile(file);
    case "damaged":
      throw setAside(options, found.detail);
    case "nothing": {
      const question = askBeforeEmpty(found.walBytes, options);
      if (question !== null && options.allowEmpty !== true) throw question;
      removeDatabase(file);
      createDataFile(file, world, nextGeneration(options.backupDir));
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

/** Returns in a sentence why a stopped hub could not start on its data file; null if it could. Changes nothing. */
export function assessDataFile(file: string, backupDir: string): string | null {
  const found = inspectDataFile(file, true);
  switch (found.kind) {
    case "foreign":
      return notAHubFile(file).message;
    case "damaged":
      return `${file} is damaged (${found.detail}); ${recoveryAdvice(file, backupDir)}`;
    case "nothing":
      return hadDataFile(found.walBytes, file, backupDir)
        ? `${file} is missing or empty; ${recoveryAdvice(file, backupDir)}`
        : null;
    case "data_file":
      if (found.schemaVersion > newestVersion) return newerFile({ file, backupDir }, found.schemaVersion).message;
      if (found.loss !== null) return `${file}: ${found.loss}`;
      return found.check?.ok === false ? `${file}: ${found.check.detail}` : null;
  }
}

function hadDataFile(walBytes: number, file: string, backupDir: string): boolean {
  return (
    walBytes > 0 ||
    isLastSeenNoted(file) ||
    existsSync(keyFileOf(file)) ||
    existsSync(decisionFile(file)) ||
    listAsides(file).length > 0 ||
    backupsOf(backupDir, ownerBeside(file)).length > 0
  );
}

/** Returns the error that asks whether to start empty; null if there never was a data file. Sets aside remaining files. */
function askBeforeEmpty(walBytes: number, options: OpenOptions): StartError | null {
  const { file, backupDir, hasHadFile = false, world } = options;
  if (!hasHadFile && !hadDataFile(walBytes, file, backupDir)) return null;
  const question = openQuestion(file);
  const moves = asideMoves(file, asideName(file, "damaged", world.clock.now()));
  moveFiles(moves);
  if (question !== null) return question;
  const [main] = moves;
  const leftover = main === undefined ? "" : `; what is left of it was set aside as ${main.to}`;
  const sentence = `The data file ${file} (HUB_DB_PATH) is missing or empty, although this hub has had one${leftover}; ${recoveryAdvice(file, backupDir)}`;
  return decisionNeeded(file, "data_file_missing", sentence);
}

/** Moves a damaged file aside unchanged, and notes what the operator can do. */
export function setAside({ file, backupDir, world }: OpenOptions, detail: string): StartError {
  const aside = asideName(file, "damaged", world.clock.now());
  world.log.error(logEvent("data_file_damaged", { detail, aside }), "the data file is damaged");
  const sentence = `The data file ${file} (HUB_DB_PATH) is damaged and was set aside as ${aside}; ${recoveryAdvice(file, backupDir)}`;
  // Written before the move: it contains the name by which a restore finds the damaged file.
  const question = decisionNeeded(file, "data_file_damaged", sentence);
  moveFiles(asideMoves(file, aside));
  clearSuspicion(file);
  return question;
}

interface Question {
  code: "data_file_damaged" | "data_file_missing";
  sentence: string;
}

function decisionNeeded(file: string, code: Question["code"], sentence: string): StartError {
  writePrivate(decisionFile(file), JSON.stringify({ code, sentence } satisfies Question));
  return new StartError(code, sentence);
}

/** Returns the decision that an earlier start requested, so that a file found damaged is not reported as missing later. */
function openQuestion(file: string): StartError | null {
  const marker = decisionFile(file);
  if (!existsSync(marker)) return null;
  const text = readFileSync(marker, "utf8");
  try {
    const { code, sentence } = JSON.parse(text) as Question;
    return new StartError(code, sentence);
  } catch {
    // The write of the file was interrupted.
    return new StartError("data_file_missing", text);
  }
}

function recoveryAdvice(file: string, backupDir: string): string {
  const backup = newestGoodBackup(backupDir, file);
  return backup === null
    ? "there is no backup; begin with an empty file: npm run hub -- --empty"
    : `the newest good backup is ${backup}; restore it: npm run hub -- restore ${backup}`;
}

function notAHubFile(file: string): StartError {
  return new StartError("data_file_unusable", `${file} (HUB_DB_PATH) is no data file of a Comanda Hub; name another.`);
}

function newerFile({ file, backupDir }: Pick<OpenOptions, "file" | "backupDir">, version: number): StartError {
  const backup = newestGoodBackup(backupDir, file);
  const before =
    backup === null ? "a backup made before it." : `${backup}, made before it: npm run hub -- restore ${backup}`;
  return new StartError(
    "data_file_newer",
    `The data file ${file} (HUB_DB_PATH) was written by a newer Comanda Hub (schema ${version}, this one knows ${newestVersion}); start that version, or restore ${before}`,
  );
}
