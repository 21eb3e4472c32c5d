// The program of the worker threads, and the list of everything that they do.
import { findForwardEventsJob } from "./forwarding/find-events-job.ts";
import { serveJobs } from "./jobs/serve-jobs.ts";
import { backUpJob, listBackupFilesJob, unpackBackupJob, verifyBackupJob } from "./maintenance/backup-jobs.ts";
import { checkDataFileJob } from "./maintenance/check-data-file-job.ts";
import { previewBackupJob } from "./maintenance/preview-backup-job.ts";
import { searchAuditLogJob } from "./operator/search-audit-job.ts";
import { listOrdersJob } from "./orders/list-orders-job.ts";
import { searchOrdersJob } from "./orders/search-orders-job.ts";
import { findWebhookDeliveriesJob } from "./webhooks/find-deliveries-job.ts";

serveJobs([
  backUpJob,
  checkDataFileJob,
  findForwardEventsJob,
  findWebhookDeliveriesJob,
  listBackupFilesJob,
  listOrdersJob,
  previewBackupJob,
  searchAuditLogJob,
  searchOrdersJob,
  unpackBackupJob,
  verifyBackupJob,
]);
