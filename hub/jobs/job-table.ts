import { backUp } from "../db/keep-backups.ts";
import { checkDataFile } from "./check-data-file.ts";
import { findForwardEvents, findWebhookDeliveries, searchAuditLog } from "./find-rows.ts";
import { listOrders } from "./list-orders.ts";
import { previewBackup } from "./preview-backup.ts";
import { listBackupFiles, unpack, verifyBackup } from "./read-backups.ts";
import { searchOrders } from "./search-orders.ts";

/** Everything that is done beside the service, by name. */
export const jobs = {
  backUp,
  checkDataFile,
  findForwardEvents,
  findWebhookDeliveries,
  listBackupFiles,
  listOrders,
  previewBackup,
  searchAuditLog,
  searchOrders,
  unpack,
  verifyBackup,
};
