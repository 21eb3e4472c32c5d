import { checkDataFile } from "./check-data-file.ts";
import { verifyBackup } from "./verify-backup.ts";

/** Everything that is done beside the service, by name. */
export const jobs = { checkDataFile, verifyBackup };
