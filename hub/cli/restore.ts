import { existsSync } from "node:fs";
import path from "node:path";
import { isDataFileLocked } from "../db/data-file-lock.ts";
import { cancelStagedRestore, restoreNow } from "../db/staged-restore.ts";
import { type Command, CommandError, exitCode, usageError } from "./command.ts";

export const restore: Command = {
  usage: "restore FILE | --empty | --cancel  [--json]",
  summary:
    "replaces the data file with a backup (or an empty file) and sets it aside, or cancels an unfinished restore; the hub must not be running",
  run({ words, options, config, world }) {
    const [name] = words;
    if ([name !== undefined, options.empty, options.cancel].filter(Boolean).length !== 1 || words.length > 1) {
      throw usageError(restore);
    }
    const { dbPath, backupDir } = config();
    if (isDataFileLocked(dbPath)) {
      throw new CommandError(exitCode.tryLater, `A hub is running on ${dbPath} (HUB_DB_PATH); stop it first.`);
    }
    if (options.cancel) {
      const cancelled = cancelStagedRestore(dbPath);
      const line = cancelled ? "The restore was cancelled." : "There is no restore to cancel.";
      return { json: { cancelled }, lines: [line] };
    }
    const file = name === undefined ? null : find(name, backupDir);
    const { keptAside } = restoreNow({ dbPath, backupDir }, file, "command line", world);
    const done = file === null ? "The next start creates an empty data file." : `${file} was restored.`;
    const kept = keptAside === null ? [] : [`The previous data file is kept as ${keptAside}.`];
    return { json: { restored: file, keptAside }, lines: [done, ...kept] };
  },
};

/** A path, or the name of a file in the backup folder. */
function find(name: string, backupDir: string): string {
  const found = [path.resolve(name), path.join(backupDir, name)].find((file) => existsSync(file));
  if (found === undefined) throw new CommandError(exitCode.failed, `There is no backup ${name}.`);
  return found;
}
