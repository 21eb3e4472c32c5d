import { existsSync } from "node:fs";
import path from "node:path";
import { isDataFileLocked } from "../db/files/data-file-lock.ts";
import { findBackups, type FoundBackup } from "../db/restore/find-backups.ts";
import { readPlace } from "../db/last-seen.ts";
import { cancelStagedRestore, restoreNow } from "../db/restore/staged-restore.ts";
import { finish } from "../db/files/steps.ts";
import { withDatabase } from "../db/files/with-database.ts";
import { isoTime } from "../platform/world.ts";
import { type Command, CommandError, exitCode, usageError } from "./command.ts";

export const restore: Command = {
  usage: "restore FILE | FOLDER | --empty | --cancel  [--json]",
  summary:
    "replaces the data file with a backup, the newest good one of a folder, or an empty file, and sets it aside, or cancels an unfinished restore; the hub must not be running",
  maxPositionals: 1,
  run({ positionals, options, config, world }) {
    const [name] = positionals;
    if ([name !== undefined, options.empty, options.cancel].filter(Boolean).length !== 1) {
      throw usageError(restore);
    }
    const { dbPath, backupDir } = config();
    if (isDataFileLocked(dbPath)) {
      throw new CommandError(exitCode.tryLater, `A hub is running on ${dbPath} (HUB_DB_PATH); stop it first.`);
    }
    if (options.cancel) {
      const cancelled = cancelStagedRestore(dbPath, world);
      const line = cancelled ? "The restore was cancelled." : "There is no restore to cancel.";
      return { json: { cancelled }, lines: [line] };
    }
    const found = name === undefined ? null : find(name, backupDir, path.dirname(dbPath));
    const isOther = found !== null && isOfOtherHub(found, dbPath);
    const { keptAside } = restoreNow({ dbPath, backupDir }, found?.path ?? null, "command line", world);
    const done = found === null ? ["The next start creates an empty data file."] : describe(found, isOther);
    const keptLines = keptAside === null ? [] : [`The previous data file is kept as ${keptAside}.`];
    const content = found === null ? {} : { content: found, otherHub: isOther };
    return { json: { restored: found?.path ?? null, keptAside, ...content }, lines: [...done, ...keptLines] };
  },
};

/** Finds the newest good backup at a path, or by name in the backup folder. */
function find(name: string, backupDir: string, workDir: string): FoundBackup {
  const place = [path.resolve(name), path.join(backupDir, name)].find((file) => existsSync(file));
  if (place === undefined) throw new CommandError(exitCode.failed, `There is no backup ${name}.`);
  const { good, bad } = finish(findBackups(place, workDir));
  const [newest, ...others] = good;
  if (newest === undefined) {
    const reason = bad.length === 0 ? `There is no backup in ${place}` : `No backup can be used: ${bad.join("; ")}`;
    throw new CommandError(exitCode.failed, `${reason}.`);
  }
  if (others.length === 0) return newest;
  const choice = good.map((each) => `${each.path} (${each.restaurant ?? "no name"}, ${isoTime(each.createdAt)})`);
  const sentence = `${place} has backups of ${good.length} hubs; name the file to restore: ${choice.join(", ")}.`;
  throw new CommandError(exitCode.failed, sentence);
}

function describe(
  { path: file, restaurant, orders, activeOrders, createdAt }: FoundBackup,
  isOther: boolean,
): string[] {
  const owner = restaurant === null ? "" : `${restaurant}, `;
  return [
    `${file} was restored.`,
    `It holds: ${owner}made ${isoTime(createdAt)}, orders: ${orders}, open: ${activeOrders}.`,
    ...(isOther ? ["It was made by another hub than the one whose data file was here."] : []),
  ];
}

/** Whether an existing, readable data file belongs to another hub than the backup. */
function isOfOtherHub({ hubId }: FoundBackup, dbPath: string): boolean {
  if (!existsSync(dbPath)) return false;
  try {
    return withDatabase(dbPath, { readonly: true }, readPlace).hubId !== hubId;
  } catch {
    return false;
  }
}
