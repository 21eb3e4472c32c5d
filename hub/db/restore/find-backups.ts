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

/** A backup that is good in every record, with what it holds. */
export interface FoundBackup extends BackupContent {
  path: string;
  /** When it was made, ms since 1970: by its name, else by its file. */
  createdAt: number;
  /** What it takes on the disk. */
  bytes: number;
}

export interface FoundBackups {
  /** The newest good backup of each hub, newest first. */
  good: FoundBackup[];
  /** Why others cannot be used: `<file>: <reason>`. */
  bad: string[];
}

/**
 * Looks for what can be restored: in a file, or in a folder and the folder `backups` in it. Reads every record, newest
 * backup of each hub first, until one is good; compressed ones are unpacked in `workDir` for it. Yields now and then, for
 * callers that have something else to do. Throws where there is no such place.
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
  // Those that do not say of which hub they are count as one hub's until they were read.
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

/** What a backup holds, or why it cannot be used. */
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
