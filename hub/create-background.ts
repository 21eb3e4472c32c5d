import type { BackOffice } from "./create-back-office.ts";
import type { Stores } from "./create-stores.ts";
import type { DataFile } from "./db/open.ts";
import { createCreditNotes } from "./fiscal/credit-notes.ts";
import { createFiscalNumbers } from "./fiscal/fiscal-numbers.ts";
import { presentSequences } from "./fiscal/ncf-sequences.ts";
import { createForwarder } from "./forwarding/forwarder.ts";
import { createHistory } from "./history/history.ts";
import { createJobs, type Jobs } from "./jobs/jobs.ts";
import { createTicketExpiry } from "./kitchen/expire-tickets.ts";
import { createKeyUses } from "./keys/key-store.ts";
import { createBackgroundCheck } from "./maintenance/background-check.ts";
import { type Backups, createBackups } from "./maintenance/backups.ts";
import { createCheckpoints } from "./maintenance/checkpoints.ts";
import { createDailyBackups } from "./maintenance/daily-backups.ts";
import { createMaintenance } from "./maintenance/maintenance.ts";
import { createSecondFolder } from "./maintenance/second-folder.ts";
import { auditWebhooks } from "./operator/integrations/audit-webhooks.ts";
import type { OrderDeps } from "./orders/order-deps.ts";
import type { World } from "./platform/world.ts";
import { createPluginService } from "./plugins/plugin-service.ts";
import { createBackOfficeQuestions } from "./restores/ask-back-office.ts";
import { createOffers } from "./restores/keep-offers.ts";
import { createRetention } from "./retention/retention.ts";
import type { HubConfig } from "./settings/config.ts";
import type { SyncBuilder } from "./terminals/sync/sync.ts";
import { createDispatcher } from "./webhooks/dispatcher.ts";
import { createPruning } from "./webhooks/prune.ts";
import { createSender } from "./webhooks/sender.ts";
import { createWebhookService } from "./webhooks/webhook-service.ts";

export type Background = ReturnType<typeof createBackground>;

export interface BackgroundDeps extends Stores, BackOffice {
  config: HubConfig;
  worldOf: (component: string) => World;
  dataFile: DataFile;
  orderDeps: OrderDeps;
  sync: SyncBuilder;
  /** The port that the hub listens on: webhooks must not call it. */
  port(): number;
  isConnected(terminalId: string): boolean;
  /** Follows when rows turn out to be damaged. */
  settleDamage(): Promise<void>;
}

/** What follows changes in its own time: forwarding, webhooks, restores, retention, maintenance and backups. */
export function createBackground(given: BackgroundDeps) {
  const { config, worldOf, dataFile, orderDeps, sync, events, keys, audit, watch } = given;
  const { dbPath, backupDir, secondBackupDir } = config;
  const { hubId } = sync.identity();
  /** Each part takes of these what it names. */
  const deps = { ...given, db: dataFile.db, dbPath, backupDir, secondBackupDir, file: dbPath, hubId };

  const restoreDeps = { ...deps, orderDeps: { ...orderDeps, world: worldOf("restores") } };
  const lookups = createBackOfficeQuestions({
    ...restoreDeps,
    waitingEvent: (posReference) => events.ofOrder(posReference).find((event) => event.state !== "done")?.id ?? null,
    confirmEvent: (tx, eventId, orderId) => events.done(eventId, tx.now, orderId, "duplicate", 0),
  });
  const forwarder = createForwarder({
    ...deps,
    world: worldOf("forwarding"),
    intervalMs: config.forwardIntervalMs,
    batchSize: config.forwardBatchSize,
    judge: lookups.judge,
  });

  const fiscalWorld = worldOf("fiscal");
  const fiscalNumbers = createFiscalNumbers({
    ...deps,
    world: fiscalWorld,
    intervalMs: config.forwardIntervalMs,
    letGo: events.letGo,
    refused: { list: events.refusedForNumber, takeBack: forwarder.takeBack },
  });

  const webhookDeps = { ...deps, world: worldOf("webhooks") };
  const sender = createSender(webhookDeps.world, given.port);
  const dispatcher = createDispatcher({ ...webhookDeps, sender, everyMs: config.webhookDispatchMs });
  const webhooks = createWebhookService({ ...webhookDeps, dispatcher, sender, note: auditWebhooks(audit) });

  const jobs: Jobs = createJobs({ world: worldOf("jobs"), onFailure: watch.reportError });
  const maintenanceDeps = { ...deps, jobs, world: worldOf("maintenance") };
  const checkpoints = createCheckpoints({ ...maintenanceDeps, isRead: jobs.isReading });
  const backups: Backups = createBackups({ ...maintenanceDeps, checkpoint: checkpoints.now });
  return {
    lookups,
    offers: createOffers({ ...restoreDeps, hubId: sync.identity().hubId, isFormerEpoch: sync.isFormerEpoch }),
    forwarder,
    fiscalNumbers,
    creditNotes: createCreditNotes(deps),
    /** The sequences of fiscal numbers with their state; null where the back-office tells none. */
    ncfSequences: () => presentSequences(given.pos.config()?.value.ncfSequences, fiscalWorld.clock.now()),
    dispatcher,
    webhooks,
    pruning: createPruning(webhookDeps),
    jobs,
    checkpoints,
    backups,
    dailyBackups: createDailyBackups({ ...maintenanceDeps, backups, timeZone: config.timeZone }),
    secondFolder: createSecondFolder({ ...maintenanceDeps, backups }),
    backgroundCheck: createBackgroundCheck({
      ...maintenanceDeps,
      isStructureUnchecked: dataFile.isStructureUnchecked,
      settleDamage: given.settleDamage,
    }),
    maintenance: createMaintenance(maintenanceDeps),
    retention: createRetention({ ...deps, world: worldOf("retention"), days: config.retention }),
    history: createHistory({ ...deps, jobs, world: worldOf("history"), timeZone: config.timeZone }),
    ticketExpiry: createTicketExpiry({ ...deps, world: worldOf("kitchen") }),
    keyUses: createKeyUses(worldOf("keys"), given.changes, keys),
    pluginService: createPluginService({ ...deps, world: worldOf("plugins") }),
  };
}
