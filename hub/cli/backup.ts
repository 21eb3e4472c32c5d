import { existsSync } from "node:fs";
import { isDataFileLocked } from "../db/files/data-file-lock.ts";
import { makeBackup } from "../db/backups/make-backup.ts";
import { finishAsync } from "../db/files/steps.ts";
import { savedTime } from "../time/saved-time.ts";
import { type Command, CommandError, exitCode } from "./command.ts";
import { hubApi } from "./hub-api.ts";

export const backup: Command = {
  usage: "backup [--login NAME --password PASSWORD] [--json]",
  summary: "makes a backup now: through the running hub, or of the data file when none runs",
  maxPositionals: 0,
  async run(context) {
    const { dbPath, backupDir } = context.config();
    if (!existsSync(dbPath)) throw new CommandError(exitCode.failed, `There is no data file ${dbPath} (HUB_DB_PATH).`);
    if (isDataFileLocked(dbPath)) {
      const answer = await hubApi(context).call("makeBackup");
      return { json: answer.backup, lines: [`Backup ${answer.backup.name} made and ${answer.backup.verified}.`] };
    }
    // A PC with an empty battery shows a year long past, and its newest backup would look like the oldest.
    const at = Math.max(context.world.clock.now(), savedTime(dbPath));
    const backup = await finishAsync(makeBackup({ file: dbPath, dir: backupDir, kind: "manual", at }));
    if (!backup.ok) throw new CommandError(exitCode.failed, `The backup ${backup.path} is damaged: ${backup.detail}.`);
    return {
      json: { name: backup.name, path: backup.path, bytes: backup.bytes },
      lines: [`Backup ${backup.path} made.`],
    };
  },
};
