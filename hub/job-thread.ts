// Program of the worker threads, with the list of all their jobs.
import { serveJobs } from "./jobs/serve-jobs.ts";

const backups = () => import("./maintenance/backup-jobs.ts");

// Loaded on first use: each job needs little of the hub, but all of them need most of it.
serveJobs({
  backUp: async () => (await backups()).backUpJob,
  checkDataFile: async () => (await backups()).checkDataFileJob,
  fillSecondFolder: async () => (await backups()).fillSecondFolderJob,
  findForwardEvents: async () => (await import("./forwarding/find-events.ts")).findForwardEventsJob,
  findWebhookDeliveries: async () =>
    (await import("./webhooks/deliveries/find-deliveries.ts")).findWebhookDeliveriesJob,
  learn: async () => (await import("./learned/learn-job.ts")).learnJob,
  listBackupFiles: async () => (await backups()).listBackupFilesJob,
  listOrders: async () => (await import("./orders/lists/list-orders-job.ts")).listOrdersJob,
  previewBackup: async () => (await import("./maintenance/preview-backup-job.ts")).previewBackupJob,
  sales: async () => (await import("./operator/sales/sales-job.ts")).salesJob,
  searchAuditLog: async () => (await import("./audit/audit-log.ts")).searchAuditLogJob,
  searchOrders: async () => (await import("./orders/lists/order-search.ts")).searchOrdersJob,
  testFolder: async () => (await backups()).testFolderJob,
  tips: async () => (await import("./operator/tills/tips-job.ts")).tipsJob,
  unpackBackup: async () => (await backups()).unpackBackupJob,
  verifyBackup: async () => (await backups()).verifyBackupJob,
});
