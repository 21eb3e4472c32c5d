import { backUp } from "../db/keep-backups.ts";
import { checkDataFile } from "./check-data-file.ts";
import { listBackupFiles, unpack, verifyBackup } from "./read-backups.ts";
import { previewBackup } from "./preview-backup.ts";

/** Everything that is done beside the service, by name. */
export const jobs = { backUp, checkDataFile, listBackupFiles, previewBackup, unpack, verifyBackup };
