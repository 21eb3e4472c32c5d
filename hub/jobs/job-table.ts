import { checkDataFile } from "./check-data-file.ts";
import { findForwardEvents, findWebhookDeliveries, searchAuditLog } from "./find-rows.ts";
import { listOrders } from "./list-orders.ts";
import { searchOrders } from "./search-orders.ts";
import { verifyBackup } from "./verify-backup.ts";

/** Everything that is done beside the service, by name. */
export const jobs = {
  checkDataFile,
  findForwardEvents,
  findWebhookDeliveries,
  listOrders,
  searchAuditLog,
  searchOrders,
  verifyBackup,
};
