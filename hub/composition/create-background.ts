import type { Tx } from "../changes/change.ts";
import type { BackOffice } from "./create-back-office.ts";
import type { OrderCommands } from "./create-order-commands.ts";
import type { Stores } from "../stores/create-stores.ts";
import type { DataFile } from "../db/open.ts";
import { noteInContingency } from "../fiscal/note-in-contingency.ts";
import { createRefunds } from "../fiscal/refunds.ts";
import { createElectronicReceipts } from "../fiscal/electronic-receipts.ts";
import { createFiscalNumbers } from "../fiscal/fiscal-numbers.ts";
import { presentSequences } from "@comanda/rules";
import { createForwarder } from "../forwarding/forwarder.ts";
import { readForwarded } from "../forwarding/paid-orders.ts";
import { createLearnedService } from "../learned/learned-service.ts";
import { createJobs, type Jobs } from "../jobs/jobs.ts";
import { createTicketExpiry } from "../kitchen/expire-tickets.ts";
import { createKeyUses } from "../keys/key-store.ts";
import { createBackgroundCheck } from "../maintenance/background-check.ts";
import { type Backups, createBackups } from "../maintenance/backups.ts";
import { createCheckpoints } from "../maintenance/checkpoints.ts";
import { createDailyBackups } from "../maintenance/daily-backups.ts";
import { createMaintenance } from "../maintenance/maintenance.ts";
import { createSecondFolder } from "../maintenance/second-folder.ts";
import { auditWebhooks } from "../operator/integrations/audit-webhooks.ts";
import type { World } from "../platform/world.ts";
import { createPrintService } from "../printing/print-service.ts";
import { createPluginService } from "../plugins/plugin-service.ts";
import { createBackOfficeQuestions } from "../restores/ask-back-office.ts";
import { createBackOfficeAnswers } from "../restores/back-office-answers.ts";
import { createOffers } from "../restores/keep-offers.ts";
import type { LossRow } from "../restores/loss-store.ts";
import { type SaveContent, saveContent, takeOverLoss } from "../restores/take-over-loss.ts";
import { createRetention } from "../retention/retention.ts";
import type { HubConfig } from "../settings/config.ts";
import type { SyncBuilder } from "../terminals/sync/sync.ts";
import { createDispatcher } from "../webhooks/sending/dispatcher.ts";
import { createPruning } from "../webhooks/prune.ts";
import { createSender } from "../webhooks/sending/sender.ts";
import { createWebhookService } from "../webhooks/webhook-service.ts";

interface BackgroundDeps {
  config: HubConfig;
  worldOf: (component: string) => World;
  dataFile: DataFile;
  stores: Stores;
  backOffice: BackOffice;
  orderCommands: OrderCommands;
  sync: SyncBuilder;
  /** The port that the hub listens on: webhooks must not call it. */
  port(): number;
  isConnected(terminalId: string): boolean;
  /** Called when damaged rows are found. */
  settleDamage(): Promise<void>;
  /** Whether the back-office cannot sign electronic receipts. */
  isContingency(): boolean;
}

/** Builds background work: forwarding, webhooks, restores, retention, maintenance and backups. */
export function createBackground(deps: BackgroundDeps) {
  const { config, worldOf, stores, backOffice } = deps;
  const { changes, time, orders, events } = stores;
  const { client, own, pos } = backOffice;
  const { hubId } = deps.sync.identity();

  const restores = createRestores(deps);
  const { answers, lookups } = restores;
  const { ncfs, fiscalRequests, audit } = stores;
  const fiscalWorld = worldOf("fiscal");
  const electronicReceipts = createElectronicReceipts({
    world: fiscalWorld,
    memory: stores.memory,
    changes,
    orders,
    ncfs,
    fiscalRequests,
    client,
    own,
    audit,
    forwardedEvent: (posReference) => readForwarded({ orders, events, log: fiscalWorld.log }, posReference),
    pollMs: config.fiscalPollMs,
  });
  const forwarder = createForwarder({
    world: worldOf("forwarding"),
    changes,
    orders,
    events,
    client,
    own,
    hubId,
    intervalMs: config.forwardIntervalMs,
    batchSize: config.forwardBatchSize,
    retryMs: config.fiscalPollMs,
    suspicionOf: answers.suspicionOf,
    receiptOf: electronicReceipts.ofAnswer,
  });

  const fiscalNumbers = createFiscalNumbers({
    world: fiscalWorld,
    changes,
    orders,
    ncfs,
    fiscalRequests,
    client,
    own,
    audit,
    intervalMs: Math.min(config.forwardIntervalMs, config.fiscalPollMs),
    letGo: events.letGo,
    refused: { list: events.listRefusedForNumber, takeBack: forwarder.takeBack },
  });

  const { identities } = backOffice;
  const notes = noteInContingency(client, orders, deps.isContingency);
  const refundService = createRefunds({
    world: fiscalWorld,
    changes,
    orders,
    ncfs,
    memory: stores.memory,
    refunds: stores.refunds,
    versionPeople: stores.versionPeople,
    people: stores.people,
    client: notes,
    identities,
    own,
    tillBook: stores.tillBook,
    tills: stores.tills,
    audit,
    posConfig: () => pos.config()?.value ?? null,
  });

  const jobs: Jobs = createJobs({ world: worldOf("jobs"), onFailure: stores.watch.reportError });
  return {
    lookups,
    offers: restores.offers,
    takeOverLoss: restores.takeOverLoss,
    forwarder,
    fiscalNumbers,
    electronicReceipts,
    refundService,
    notes,
    /** Fiscal number sequences with their state; null if the back-office provides none. */
    ncfSequences: () => presentSequences(pos.config()?.value.ncfSequences, fiscalWorld.clock.now()),
    webhooks: createWebhooks(deps),
    jobs,
    storage: createStorage(deps, jobs),
    learned: createLearnedService({
      world: worldOf("learned"),
      time,
      jobs,
      file: config.dbPath,
      timeZone: config.timeZone,
    }),
    ticketExpiry: createTicketExpiry({ world: worldOf("kitchen"), time, changes, tickets: stores.tickets }),
    printService: createPrintService({
      world: worldOf("printing"),
      changes,
      jobs: stores.printJobs,
      printers: stores.printers,
      spool: stores.spool,
      pollMs: config.printerPollMs,
      fallbackMs: config.printFallbackMs,
      expireMs: config.printExpireMs,
    }),
    keyUses: createKeyUses(worldOf("keys"), changes, stores.keys),
    pluginService: createPluginService({ world: worldOf("plugins"), time, changes, plugins: stores.plugins }),
  };
}

/** Builds the recovery of data that a restore lost: from the back-office, from terminals, by a manager's decision. */
function createRestores({ worldOf, stores, backOffice, orderCommands, sync }: BackgroundDeps) {
  const { changes, orders, leases, paymentIdentities, unappliedPayments, losses, questions, events, numbering } =
    stores;
  const { rulebook, orderWriter, recoverTickets } = orderCommands;
  const world = worldOf("restores");
  const saving = { orders, orderWriter, leases, paymentIdentities, unappliedPayments, recoverTickets, losses };
  const takingOver = { ...saving, rulebook };
  const saveFound: SaveContent = (tx, order) => saveContent(saving, tx, order);
  const answers = createBackOfficeAnswers({
    world,
    orders,
    losses,
    questions,
    saveContent: saveFound,
    waitingEvent: (posReference) =>
      events.listByOrder(posReference).find((event) => event.state !== "done")?.id ?? null,
    confirmEvent: (tx, eventId) => events.done(eventId, tx.now, "duplicate", 0),
  });
  const { client, own } = backOffice;
  return {
    answers,
    lookups: createBackOfficeQuestions({ world, changes, questions, client, own, answers }),
    offers: createOffers({
      world,
      changes,
      orders,
      numbering,
      losses,
      hubId: sync.identity().hubId,
      isFormerEpoch: sync.isFormerEpoch,
    }),
    takeOverLoss: (tx: Tx, loss: LossRow, userName: string) => takeOverLoss(takingOver, tx, loss, userName),
  };
}

/** Builds the webhooks: subscriptions, dispatch and pruning. */
function createWebhooks({ config, worldOf, stores, port }: BackgroundDeps) {
  const { changes, time, memory, subscriptions, deliveries, gathered } = stores;
  const world = worldOf("webhooks");
  const sender = createSender(world, port);
  const dispatcher = createDispatcher({
    world,
    changes,
    memory,
    subscriptions,
    deliveries,
    gathered,
    sender,
    everyMs: config.webhookDispatchMs,
  });
  return {
    dispatcher,
    service: createWebhookService({
      world,
      changes,
      subscriptions,
      deliveries,
      gathered,
      dispatcher,
      sender,
      port,
      note: auditWebhooks(stores.audit),
    }),
    pruning: createPruning({ world, time, changes, subscriptions, deliveries, gathered }),
  };
}

/** Builds what keeps the data file intact, small and backed up. */
function createStorage(deps: BackgroundDeps, jobs: Jobs) {
  const { config, worldOf, dataFile, stores, backOffice } = deps;
  const { watch, changes, time, memory, mutations, tickets } = stores;
  const { dbPath, backupDir, secondBackupDir } = config;
  const { db } = dataFile;
  const { hubId } = deps.sync.identity();
  const world = worldOf("maintenance");
  const checkpoints = createCheckpoints({ world, db, changes, watch, file: dbPath, isRead: jobs.isReading });
  const backups: Backups = createBackups({
    world,
    jobs,
    changes,
    memory,
    hubId,
    dbPath,
    backupDir,
    checkpoint: checkpoints.now,
  });
  return {
    checkpoints,
    backups,
    dailyBackups: createDailyBackups({ world, changes, backups, dbPath, backupDir, timeZone: config.timeZone }),
    secondFolder: createSecondFolder({
      world,
      changes,
      memory,
      backups,
      hubId,
      dbPath,
      backupDir,
      secondBackupDir,
    }),
    backgroundCheck: createBackgroundCheck({
      world,
      jobs,
      changes,
      watch,
      file: dbPath,
      isStructureUnchecked: dataFile.isStructureUnchecked,
      settleDamage: deps.settleDamage,
    }),
    maintenance: createMaintenance({ world, time, changes, identities: backOffice.identities, mutations, dbPath }),
    retention: createRetention({
      world: worldOf("retention"),
      time,
      db,
      changes,
      tickets,
      memory,
      days: config.retention,
      isConnected: deps.isConnected,
    }),
  };
}
