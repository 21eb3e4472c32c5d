import { statSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../../platform/error-facts.ts";
import { type BackupContent, readBackupContent } from "../backups/backup-content.ts";
import { placedBackups, timeOfBackup } from "../backups/backup-files.ts";
import { existingFolder } from "../files/disk-space.ts";
import { requireClosed } from "./staged-restore.ts";
import { mapSteps } from "../files/steps.ts";
import { verifyPlain, withPlainBackup } from "../backups/verify-backup.ts";
import { withDatabase } from "../files/with-database.ts";

/** A backup in which every record is good, with its content. */
export interface FoundBackup extends BackupContent {
  path: string;
  /** Creation time in ms since 1970, from its name or else from the modification time of the file. */
  createdAt: number;
  /** Size on disk. */
  bytes: number;
}

export interface FoundBackups {
  /** The newest good backup of each hub, newest first. */
  good: FoundBackup[];
  /** Why the other backups cannot be used: `<file>: <reason>`. */
  bad: string[];
}

/**
 * Finds backups that can be restored: `place` is a file, or a folder that is searched with its subfolder `backups`. For each
 * hub, reads every record of its backups, newest first, until one is good; unpacks compressed backups in `workDir`. Yields
 * regularly, so that the caller can do other work. Throws if `place` does not exist.
 */
export function* findBackups(place: string, workDir: string): Generator<undefined, FoundBackups> {
  const target = path.resolve(place);
  const facts = statSync(target, { throwIfNoEntry: false });
  if (facts === undefined) throw new Error(`there is nothing at ${target}`);
  if (!facts.isDirectory()) {
    const { good, bad } = yield* firstGood([target], workDir);
    return { good: good === null ? [] : [good], bad };
  }
  const placed = [target, path.join(target, "backups")].flatMap((folder) => placedBackups(folder));
  const bad: string[] = [];
  const newest: FoundBackup[] = [];
  // Backups with an unknown hub are grouped together until they are read.
  for (const backups of Map.groupBy(placed, ({ place }) => place?.hubId ?? "").values()) {
    const files = backups.map(({ file }) => file.path);
    const found = yield* firstGood(files, workDir);
    if (found.good !== null) newest.push(found.good);
    bad.push(...found.bad);
  }
  newest.sort((a, b) => b.createdAt - a.createdAt);
  const good = newest.filter((each, at) => newest.findIndex(({ hubId }) => hubId === each.hubId) === at);
  return { good, bad };
}

function* firstGood(
  files: readonly string[],
  workDir: string,
): Generator<undefined, { good: FoundBackup | null; bad: string[] }> {
  const bad: string[] = [];
  for (const file of files) {
    const found = yield* examine(file, workDir);
    if (typeof found !== "string") return { good: found, bad };
    bad.push(`${file}: ${found}`);
  }
  return { good: null, bad };
}

/** Returns the content of a backup, or why it cannot be used. */
function* examine(file: string, workDir: string): Generator<undefined, FoundBackup | string> {
  try {
    requireClosed(file);
    const steps = withPlainBackup(
      file,
      function* read(plain) {
        const { ok, detail } = yield* verifyPlain(plain);
        return ok ? withDatabase(plain, { readonly: true, fileMustExist: true }, readBackupContent) : detail;
      },
      existingFolder(workDir),
    );
    const content = yield* mapSteps(steps, () => undefined);
    if (typeof content === "string") return content;
    const { size, mtimeMs } = statSync(file);
    return { ...content, path: file, bytes: size, createdAt: timeOfBackup(path.basename(file)) ?? Math.round(mtimeMs) };
  } catch (error) {
    return messageOf(error);
  }
}
