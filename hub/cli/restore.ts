import { existsSync } from "node:fs";
import path from "node:path";
import { restoreBackup } from "../db/backup.ts";
import { asideName } from "../db/staged-restore.ts";
import { usageError, type Command } from "./command.ts";
import { isDataFileInUse } from "./data-file-in-use.ts";
import { CommandError, exitCode } from "./outcome.ts";

export const restore: Command = {
  usage: "restore FILE | --empty  [--json]",
  does: "puts a backup (or nothing) in the place of the data file, which is kept aside; the hub must not run",
  run({ words, options, config, world }) {
    const [name] = words;
    if ((name === undefined) !== options.empty || words.length > 1) throw usageError(restore);
    const { dbPath, backupDir } = config();
    if (isDataFileInUse(dbPath)) {
      throw new CommandError(exitCode.tryLater, `A hub is running on ${dbPath} (HUB_DB_PATH); stop it first.`);
    }
    const file = name === undefined ? null : find(name, backupDir);
    const aside = existsSync(dbPath) ? asideName(dbPath, world.clock.now()) : null;
    if (aside === null) restoreBackup(dbPath, file, world);
    else restoreBackup(dbPath, file, world, aside);
    const done = file === null ? "The next start begins with an empty data file." : `${file} was restored.`;
    const kept = aside === null ? [] : [`The data file that was there is kept as ${aside}.`];
    return { json: { restored: file, keptAside: aside }, lines: [done, ...kept] };
  },
};

/** A path, or the name of a file in the backup folder. */
function find(name: string, backupDir: string): string {
  const found = [path.resolve(name), path.join(backupDir, name)].find((file) => existsSync(file));
  if (found === undefined) throw new CommandError(exitCode.failed, `There is no backup ${name}.`);
  return found;
}
