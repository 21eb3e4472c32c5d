// The program of the worker threads, and the list of everything that they do.
import { findForwardEventsJob } from "./forwarding/find-events.ts";
import { learnJob } from "./learned/learn-job.ts";
import { serveJobs } from "./jobs/serve-jobs.ts";
import {
  backUpJob,
  checkDataFileJob,
  fillSecondFolderJob,
  listBackupFilesJob,
  testFolderJob,
  unpackBackupJob,
  verifyBackupJob,
} from "./maintenance/backup-jobs.ts";
import { previewBackupJob } from "./maintenance/preview-backup-job.ts";
import { searchAuditLogJob } from "./audit/audit-log.ts";
import { salesJob } from "./operator/sales/sales-job.ts";
import { tipsJob } from "./operator/tills/tips-job.ts";
import { listOrdersJob } from "./orders/lists/list-orders-job.ts";
import { searchOrdersJob } from "./orders/lists/order-search.ts";
import { findWebhookDeliveriesJob } from "./webhooks/deliveries/find-deliveries.ts";

serveJobs([
  backUpJob,
  checkDataFileJob,
  fillSecondFolderJob,
  findForwardEventsJob,
  findWebhookDeliveriesJob,
  learnJob,
  listBackupFilesJob,
  listOrdersJob,
  previewBackupJob,
  salesJob,
  searchAuditLogJob,
  searchOrdersJob,
  testFolderJob,
  tipsJob,
  unpackBackupJob,
  verifyBackupJob,
]);
