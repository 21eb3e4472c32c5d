import { logEvent } from "./platform/log-event.ts";
import path from "node:path";
import { said, type HealthReport, type Pairing } from "@comanda/protocol";
import { notifyScreens } from "./changes/notify-screens.ts";
import { createHubAccess } from "./create-access.ts";
import { createBackOffice } from "./create-back-office.ts";
import { createBackground } from "./create-background.ts";
import { createChain } from "./create-chain.ts";
import { createDocuments } from "./create-documents.ts";
import { createHubHealth } from "./create-health.ts";
import { createHttp } from "./create-http.ts";
import { createLostTail } from "./create-lost-tail.ts";
import { createOperator } from "./create-operator.ts";
import { createOrderCommands } from "./create-order-commands.ts";
import { createStores, type Stores } from "./create-stores.ts";
import { createTerminals } from "./create-terminals.ts";
import { markSuspect } from "./db/integrity/data-file-watch.ts";
import { type DataFile, openDataFile } from "./db/open.ts";
import { createAnnouncer } from "./discovery/announce.ts";
import { createCreditChecks } from "./fiscal/credit-checks.ts";
import { followChanges } from "./follow-changes.ts";
import { createLifecycle } from "./lifecycle.ts";
import { listParts } from "./list-parts.ts";
import { auditWebhooks } from "./operator/integrations/audit-webhooks.ts";
import { createWebhookAdmin } from "./operator/integrations/webhook-admin.ts";
import { createNetworkReach } from "./operator/terminals/network-reach.ts";
import { presentPairing } from "./operator/terminals/pairing.ts";
import type { PointOfSale } from "./orders/point-of-sale.ts";
import { isCorrupt, StartError } from "./platform/errors.ts";
import { hubVersion } from "./platform/paths.ts";
import { createPeers } from "./platform/peer-address.ts";
import { withComponent, type World } from "./platform/world.ts";
import { createPracticeService } from "./practice/practice-service.ts";
import { createDamageSettler } from "./settle-damaged.ts";
import type { HubConfig } from "./settings/config.ts";
import { createRunningNote } from "./settings/running-note.ts";
import { foreignSettingsHost, type SettingsHost } from "./settings/settings-host.ts";
import { createTableRules } from "./tables/table-rules.ts";
import { createSyncBuilder } from "./terminals/sync/sync.ts";

export interface Hub {
  /** Opens the port; the promise resolves when terminals can connect. Throws a StartError. */
  start(): Promise<{ port: number }>;
  /** Tells everyone, finishes what is under way, and closes the data file. */
  stop(): Promise<void>;
  /** The machine woke up: leases get a fresh grace. */
  resumed(): void;
  health(): HealthReport;
  /** For the tray, and for a quit that would disconnect people. */
  connectedTerminals(): number;
  /** How the first terminal finds the hub, for the wizard, which runs before anybody has signed in. */
  pairing(): Pairing;
  webhooksPaused(): boolean;
  /** Holds webhooks back, or lets them go; outlives a restart. */
  pauseWebhooks(paused: boolean, by: string): Promise<void>;
}

/** How long a stop waits for calls to the back-office. */
const CALLS_END_MS = 2_000;

export interface HubOptions {
  settingsHost?: SettingsHost;
  /** Begin with an empty data file where this hub's own is gone; otherwise that is a StartError. */
  allowEmpty?: boolean;
  /** A practice, where everybody's PIN is shown: every device takes them. */
  arePinsOpen?: boolean;
}

/** Builds the whole hub on its data file. Throws a StartError when the file cannot be used. */
export function createHub(
  config: HubConfig,
  world: World,
  { settingsHost = foreignSettingsHost, allowEmpty = false, arePinsOpen = false }: HubOptions = {},
): Hub {
  const { dbPath: file, backupDir } = config;
  const dbWorld = withComponent(world, "db");
  const dataFile = openDataFile({ file, backupDir, allowEmpty, world: dbWorld });
  try {
    return buildHub(config, world, { settingsHost, arePinsOpen }, dataFile);
  } catch (error) {
    dataFile.close();
    if (!isCorrupt(error)) throw error;
    // Large files are opened without a whole check. Opening it as suspect checks it, and sets it aside with a StartError.
    markSuspect(file, error.message);
    openDataFile({ file, backupDir, world: dbWorld }).close();
    throw new StartError(
      "data_file_unusable",
      `The data file ${file} (HUB_DB_PATH) cannot be read (${error.message}), although a check found it sound.`,
    );
  }
}

function buildHub(
  config: HubConfig,
  world: World,
  { settingsHost, arePinsOpen }: Required<Omit<HubOptions, "allowEmpty">>,
  dataFile: DataFile,
): Hub {
  const worldOf = (component: string): World => withComponent(world, component);
  let listeningPort = config.port;
  const port = (): number => listeningPort;
  let { stations, fiscalContingency } = config;

  const { db } = dataFile;
  const stores = createStores(config, worldOf, dataFile, { arePinsOpen });
  const { changes, time, leases, orders, tables, watch, mutations, paymentIdentities } = stores;
  const backOffice = createBackOffice(config, worldOf, db, stores, () => stations);
  const { client, own } = backOffice;
  const pos: PointOfSale = {
    session: backOffice.pos.session,
    config: () => backOffice.pos.config()?.value ?? null,
    formerRate: backOffice.pos.formerRate,
    tables: backOffice.pos.tableIds,
    stations: () => stations,
    takeBackMs: config.takeBackMs,
    isContingency: () => fiscalContingency,
  };
  const orderCommands = createOrderCommands({
    world: worldOf("orders"),
    pos,
    stores,
    config,
    askCredit: createCreditChecks({ client, own, mutations, paymentIdentities, pos }),
  });
  const documents = createDocuments({ config, worldOf, stores, pos, orderCommands });
  const sync = createSyncBuilder({ world, db, time, orders, leases, watch, printJobsOf: stores.spool.openOf });
  const { hubId } = sync.identity();
  const lostTail = createLostTail({ world: worldOf("db"), db, watch, changes, sync });
  const { fiscalRequests } = stores;
  const settleDamage = createDamageSettler({ world: worldOf("db"), db, watch, changes, orders, fiscalRequests });
  const background = createBackground({
    config,
    worldOf,
    dataFile,
    stores,
    backOffice,
    orderCommands,
    sync,
    port,
    isConnected: (terminalId) => terminals.connected().some(({ active }) => active.terminalId === terminalId),
    settleDamage,
    isContingency: pos.isContingency,
  });

  const peers = createPeers(config.trustedProxies);
  const tableRules = createTableRules({ world: worldOf("tables"), changes, tables, planned: pos.tables });
  const terminalParts = createTerminals({
    config,
    world: worldOf("terminals"),
    stores,
    backOffice,
    orderCommands,
    background,
    peers,
    tableRules,
    sync,
    noteLossSeenBy: lostTail.noteSeenBy,
    onTerminal: (event, active) => operator.onTerminal(event, active),
  });
  const { terminals, statusUpdates } = terminalParts;

  const access = createHubAccess(worldOf("http"), stores, backOffice);
  const health = createHubHealth({
    world,
    config,
    stores,
    backOffice,
    background,
    connectedTerminals: terminals.count,
  });
  const announcer = createAnnouncer(worldOf("discovery"));
  const networkReach = createNetworkReach(worldOf("operator"), () =>
    notifyScreens(changes, worldOf("operator"), { topics: ["pairing"] }),
  );
  const pairing = (isTrusted: boolean): Pairing =>
    presentPairing(
      { hubId, name: config.name, host: config.host, port: listeningPort, announcer },
      isTrusted ? networkReach.read() : null,
    );
  const { subscriptions, deliveries, gathered, audit, keys } = stores;
  const webhookAdmin = createWebhookAdmin({
    world: worldOf("operator"),
    changes,
    subscriptions,
    deliveries,
    gathered,
    jobs: background.jobs,
    file: config.dbPath,
    note: auditWebhooks(audit),
    webhooks: background.webhooks.service,
    hasHadKey: keys.hasHadOne,
  });
  const runningNote = createRunningNote({ world: worldOf("settings"), config, settingsHost, hubId, port });
  const practice = createPracticeService({
    world: worldOf("practice"),
    config,
    stations: pos.stations,
    pos: backOffice.pos,
    people: stores.people,
  });
  const chain = createChain({
    world,
    config,
    dataFile,
    stores,
    backOffice,
    hubId,
    views: () => operator.forHeadquarters,
  });
  const operator = createOperator({
    world: worldOf("operator"),
    config,
    settingsHost,
    db,
    stores,
    pos,
    backOffice,
    orderCommands,
    background,
    terminals,
    webhookAdmin,
    access,
    hubId,
    version: hubVersion,
    health,
    pairing,
    practice,
    chain,
    live: {
      HUB_STATIONS(tx, settings) {
        stations = [...settings.stations];
        backOffice.pos.noteStations(tx);
        runningNote.refresh();
      },
      HUB_FISCAL_CONTINGENCY(tx, settings) {
        ({ fiscalContingency } = settings);
        tx.notify(["fiscal"]);
      },
    },
    practise: (practice) => createHub(practice, { ...world, log: world.log.child({}, { level: "silent" }) }),
  });
  const http = createHttp({
    config,
    worldOf,
    stores,
    pos,
    backOffice,
    orderCommands,
    background,
    documents,
    access,
    operatorHandlers: operator.handlers,
    announcer,
    terminals,
    networkReach,
    hubId,
    peers,
    practice,
    health,
    port,
  });
  followChanges({
    fiscalPollMs: config.fiscalPollMs,
    stores,
    pos,
    orderCommands,
    backOffice,
    background,
    documents,
    terminals,
    statusUpdates,
    operator,
    practice,
    chain,
  });

  const announcing = {
    start(): void {
      if (!config.mdnsEnabled) return;
      const txt = { id: hubId, name: config.name, ver: hubVersion, proto: "1", path: "/" };
      announcer.start({ name: config.name, host: config.host, port: listeningPort, txt });
    },
    stop: announcer.stop,
  };
  const lifecycle = createLifecycle(
    world,
    listParts({
      stores,
      backOffice,
      background,
      documents,
      access,
      tableRules,
      http,
      terminalParts,
      operator,
      practice,
      chain,
      announcing,
      runningNote,
    }),
  );

  return {
    async start() {
      await noteRestore(stores, dataFile);
      if (dataFile.problems.some(({ kind }) => kind === "lost_changes")) await lostTail.note();
      if (dataFile.problems.some(({ kind }) => kind === "damaged_records")) await settleDamage();
      await background.refundService.start();
      listeningPort = await http.listen(config.port, config.host);
      await lifecycle.start();
      if (config.devAuth) {
        world.log.warn(
          logEvent("dev_auth"),
          "HUB_DEV_AUTH is on: anyone on this network may use this hub without signing in",
        );
      }
      return { port: listeningPort };
    },
    async stop() {
      // Calls to the back-office get a moment; one may hang, and is repeated after the next start.
      const cut = world.timers.setTimeout(() => client.stop(), CALLS_END_MS);
      await lifecycle.stop();
      world.timers.clearTimeout(cut);
      client.stop();
      backOffice.androidUpdates.stop();
      dataFile.close();
    },
    resumed: () => leases.giveFreshGrace(),
    health,
    connectedTerminals: terminals.count,
    webhooksPaused: background.webhooks.dispatcher.isPaused,
    pauseWebhooks: (paused, userName) => background.webhooks.service.setPaused(paused, { userName }),
    pairing: () => pairing(true),
  };
}

/** Records the result of a restore that was staged before this start. */
async function noteRestore({ changes, audit }: Stores, { restore: outcome }: DataFile): Promise<void> {
  if (outcome === null) return;
  const { by, backup, aside } = "done" in outcome ? outcome.done : outcome.failed;
  const target = backup === null ? "empty" : path.basename(backup);
  await changes.write((tx) => {
    if ("done" in outcome) {
      audit.record(tx, by, "backup.restored", target, said("note_kept_aside", { path: aside }));
      return;
    }
    audit.record(tx, by, "backup.restore_failed", target, outcome.reason);
    tx.notify(["backups"], { kind: "restore_failed", level: "bad", detail: { text: target } });
  });
}
