import { compactDataFile } from "../db/compact.ts";
import { isDataFileLocked } from "../db/files/data-file-lock.ts";
import { sizeText } from "../db/files/disk-space.ts";
import { type Command, CommandError, exitCode } from "./command.ts";

export const compact: Command = {
  usage: "compact [--json]",
  summary: "rewrites the data file without its free pages; the hub must not be running",
  run({ config }) {
    const { dbPath } = config();
    if (isDataFileLocked(dbPath)) {
      throw new CommandError(exitCode.tryLater, `A hub is running on ${dbPath} (HUB_DB_PATH); stop it first.`);
    }
    const { before, after } = compactDataFile(dbPath);
    return {
      json: { before, after },
      lines: [`${dbPath} had ${sizeText(before)} and has ${sizeText(after)}.`],
    };
  },
};
