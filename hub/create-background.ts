import type { BackOffice } from "./create-back-office.ts";
import type { Stores } from "./create-stores.ts";
import type { DataFile } from "./db/open.ts";
import { createForwarder } from "./forwarding/forwarder.ts";
import { createJobs, type Jobs } from "./jobs/jobs.ts";
import { createKeyUses } from "./keys/key-uses.ts";
import { createBackgroundCheck } from "./maintenance/background-check.ts";
import { createBackups, type Backups } from "./maintenance/backups.ts";
import { createCheckpoints } from "./maintenance/checkpoints.ts";
import { createDailyBackups } from "./maintenance/daily-backups.ts";
import { createMaintenance } from "./maintenance/maintenance.ts";
import { auditWebhooks } from "./operator/audit-webhooks.ts";
import type { OrderDeps } from "./orders/order-deps.ts";
import type { World } from "./platform/world.ts";
import { createPluginService } from "./plugins/plugin-service.ts";
import { createBackOfficeQuestions } from "./restores/ask-back-office.ts";
import { createOffers } from "./restores/keep-offers.ts";
import { createRetention } from "./retention/retention.ts";
import type { HubConfig } from "./settings/config.ts";
import type { SyncBuilder } from "./terminals/sync.ts";
import { createDispatcher } from "./webhooks/dispatcher.ts";
import { createPruning } from "./webhooks/prune.ts";
import { createSender } from "./webhooks/sender.ts";
import { createWebhookService } from "./webhooks/webhook-service.ts";

export type Background = ReturnType<typeof createBackground>;

export interface BackgroundDeps {
  config: HubConfig;
  worldOf: (component: string) => World;
  dataFile: DataFile;
  stores: Stores;
  backOffice: BackOffice;
  orderDeps: OrderDeps;
  sync: SyncBuilder;
  /** The port that the hub listens on: webhooks must not call it. */
  port(): number;
  isConnected(terminalId: string): boolean;
}

/** What follows changes in its own time: forwarding, webhooks, restores, retention, maintenance and backups. */
export function createBackground(deps: BackgroundDeps) {
  const { config, worldOf, dataFile, stores, backOffice, orderDeps, sync } = deps;
  const { db } = dataFile;
  const { dbPath, backupDir } = config;
  const { watch, changes, memory, time, audit, orders, mutations, plugins, events, keys } = stores;
  const { subscriptions, deliveries, losses, questions } = stores;
  const { client, own, identities } = backOffice;

  const restoreDeps = { orderDeps: { ...orderDeps, world: worldOf("restores") }, losses };
  const lookups = createBackOfficeQuestions({
    ...restoreDeps,
    questions,
    client,
    own,
    waitingEvent: (posReference) => events.ofOrder(posReference).find((event) => event.state !== "done")?.id ?? null,
    confirmEvent: (tx, eventId, orderId) => events.done(eventId, tx.now, orderId, "duplicate", 0),
  });
  const forwarder = createForwarder({
    world: worldOf("forwarding"),
    changes,
    events,
    orders,
    client,
    own,
    hubId: sync.identity().hubId,
    intervalMs: config.forwardIntervalMs,
    batchSize: config.forwardBatchSize,
    judge: lookups.judge,
  });

  const webhookDeps = { world: worldOf("webhooks"), changes, subscriptions, deliveries };
  const sender = createSender(webhookDeps.world, deps.port);
  const dispatcher = createDispatcher({ ...webhookDeps, memory, sender, everyMs: config.webhookDispatchMs });
  const webhooks = createWebhookService({ ...webhookDeps, dispatcher, sender, note: auditWebhooks(audit) });

  const jobs: Jobs = createJobs({ world: worldOf("jobs"), onFailure: watch.reportError });
  const maintenanceDeps = { world: worldOf("maintenance"), changes, dbPath };
  const checkpoints = createCheckpoints({ ...maintenanceDeps, db, watch, file: dbPath, isRead: jobs.isReading });
  const backups: Backups = createBackups({ ...maintenanceDeps, jobs, memory, backupDir, checkpoint: checkpoints.now });
  return {
    lookups,
    offers: createOffers({ ...restoreDeps, epoch: () => sync.identity().epoch }),
    forwarder,
    dispatcher,
    webhooks,
    pruning: createPruning({ ...webhookDeps, time }),
    jobs,
    checkpoints,
    backups,
    dailyBackups: createDailyBackups({ ...maintenanceDeps, backups, backupDir }),
    backgroundCheck: createBackgroundCheck({
      ...maintenanceDeps,
      jobs,
      watch,
      file: dbPath,
      isStructureUnchecked: dataFile.isStructureUnchecked,
    }),
    maintenance: createMaintenance({ ...maintenanceDeps, time, identities, mutations }),
    retention: createRetention({
      world: worldOf("retention"),
      time,
      db,
      changes,
      memory,
      days: config.retention,
      isConnected: deps.isConnected,
    }),
    keyUses: createKeyUses(worldOf("keys"), changes, keys),
    pluginService: createPluginService({ world: worldOf("plugins"), time, changes, plugins }),
  };
}
