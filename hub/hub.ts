import path from "node:path";
import {
  externalApi,
  isActive,
  keyAdministrationApi,
  operatorApi,
  type HealthReport,
  type HubMessage,
  type Pairing,
  type Since,
} from "@comanda/protocol";
import { createBackOfficeClient } from "./back-office/client.ts";
import { createCurrentSession } from "./back-office/current-session.ts";
import { createIdentities } from "./back-office/identities.ts";
import { createOwnSession } from "./back-office/own-session.ts";
import { createPosState } from "./back-office/pos-state.ts";
import { createReachability } from "./back-office/reachability.ts";
import { BackOfficeError } from "./back-office/back-office-error.ts";
import { createBackups } from "./maintenance/backups.ts";
import { createBackgroundCheck } from "./maintenance/background-check.ts";
import type { Change } from "./changes/change.ts";
import { createChangeLog } from "./changes/change-log.ts";
import { notifyScreens } from "./changes/notify-screens.ts";
import { createCheckpoints } from "./maintenance/checkpoints.ts";
import type { HubConfig } from "./settings/config.ts";
import { createDailyBackups } from "./maintenance/daily-backups.ts";
import { asLastRead } from "./db/as-last-read.ts";
import { createDataFileWatch, markSuspect } from "./db/data-file-watch.ts";
import { forkEpoch } from "./db/epoch.ts";
import { openDataFile, type DataFile } from "./db/open.ts";
import { noteLostTail } from "./db/fork-history.ts";
import { createMemory } from "./db/remembered.ts";
import { createAnnouncer } from "./discovery/announce.ts";
import { isCorrupt, StartError } from "./platform/errors.ts";
import { createFloorPlan } from "./floor-plan/floor-plan.ts";
import { createEventStore, noEvents } from "./forwarding/event-store.ts";
import { createForwarder } from "./forwarding/forwarder.ts";
import { forwardRecorder } from "./forwarding/recorder.ts";
import { apiDocs } from "./http/api-docs.ts";
import { createAccess } from "./http/access.ts";
import { isAllowedOrigin } from "./http/allowed-origin.ts";
import { createHttpApp } from "./http/app.ts";
import { createOperator } from "./create-operator.ts";
import { createHealth } from "./http/health.ts";
import { apiDocsFolder, hubVersion } from "./platform/paths.ts";
import { createPeers } from "./platform/peer-address.ts";
import { createPortServer } from "./http/port-server.ts";
import { createRateLimiter } from "./platform/rate-limiter.ts";
import { externalFloorRoutes } from "./http/routes/external-floor.ts";
import { externalOrderRoutes } from "./http/routes/external-orders.ts";
import { externalPluginRoutes, pluginGate } from "./http/routes/external-plugins.ts";
import { externalWebhookRoutes } from "./http/routes/external-webhooks.ts";
import { keyAdministrationRoutes } from "./http/routes/key-administration.ts";
import { serveApi } from "./http/serve-api.ts";
import { foreignSettingsHost, type SettingsHost } from "./settings/settings-host.ts";
import { createJobs } from "./jobs/jobs.ts";
import { createKeyStore } from "./keys/key-store.ts";
import { createKeyUses } from "./keys/key-uses.ts";
import { createLeaseBook } from "./leases/lease-book.ts";
import { createLeaseStore } from "./leases/lease-store.ts";
import { createLoop } from "./platform/loop.ts";
import { createMutationStore } from "./orders/mutation-store.ts";
import { createNumbering } from "./orders/numbering.ts";
import { createOrderList } from "./orders/order-list.ts";
import { createAuditLog } from "./operator/audit-log.ts";
import { auditWebhooks } from "./operator/audit-webhooks.ts";
import { presentPairing } from "./operator/pairing.ts";
import { createWebhookAdmin } from "./operator/webhook-admin.ts";
import type { OrderDeps } from "./orders/order-deps.ts";
import { createOrderStore } from "./orders/order-store.ts";
import { createTicketStore } from "./orders/ticket-store.ts";
import { createUnappliedPaymentStore } from "./orders/unapplied-payment-store.ts";
import { createPluginService } from "./plugins/plugin-service.ts";
import { createPluginStore } from "./plugins/plugin-store.ts";
import { createTableRules } from "./tables/table-rules.ts";
import { createTableStore } from "./tables/table-store.ts";
import { createBackOfficeQuestions } from "./restores/ask-back-office.ts";
import { createOffers } from "./restores/keep-offers.ts";
import { createLossStore } from "./restores/loss-store.ts";
import { createQuestionStore } from "./restores/question-store.ts";
import { createRetention } from "./retention/retention.ts";
import { createSessionRecheck } from "./terminals/recheck-sessions.ts";
import { createStatusUpdates } from "./terminals/status-updates.ts";
import { createSyncBuilder } from "./terminals/sync.ts";
import { createTerminalServer } from "./terminals/terminal-server.ts";
import { createTerminalStore } from "./terminals/terminal-store.ts";
import { createTrustedTime } from "./time/trusted-time.ts";
import { createMaintenance } from "./maintenance/maintenance.ts";
import { createDeliveryStore } from "./webhooks/delivery-store.ts";
import { createDispatcher } from "./webhooks/dispatcher.ts";
import { createPruning } from "./webhooks/prune.ts";
import { createSender } from "./webhooks/sender.ts";
import { createSubscriptionStore } from "./webhooks/subscription-store.ts";
import { createWebhookService } from "./webhooks/webhook-service.ts";
import { isoTime, withComponent, type World } from "./platform/world.ts";

export interface Hub {
  /** Opens the port; the promise resolves when terminals can connect. Throws a StartError. */
  start(): Promise<{ port: number }>;
  /** Tells everyone, finishes what is under way, and closes the data file. */
  stop(): Promise<void>;
  /** The machine woke up: leases get a fresh grace. */
  resumed(): void;
  health(): HealthReport;
  /** How things stand, for the tray and for a quit that would cut people off. */
  connectedTerminals(): number;
  /** How the first terminal finds it, for the wizard, which runs before anybody has signed in. */
  pairing(): Pairing;
  /** Whether webhooks are held back, and holding them back or letting them go, for the tray. */
  webhooksPaused(): boolean;
  pauseWebhooks(paused: boolean, by: string): Promise<void>;
}

/** How many unknown sessions a peer may show in a minute: a whole dining room behind one address signs in at opening time. */
const UNKNOWN_SESSIONS_A_MINUTE = 60;
/** Requests of the key administration that one address may make in a minute. */
const KEY_CALLS_A_MINUTE = 30;
/** How long a stop waits for calls to the back-office. */
const CALLS_END_MS = 2_000;

export interface HubOptions {
  settingsHost?: SettingsHost;
  /** Begin with an empty data file where the one that this hub had is gone; otherwise that is a StartError. */
  allowEmpty?: boolean;
}

/** Builds the whole hub on its data file. Throws a StartError when the file cannot be used. */
export function createHub(
  config: HubConfig,
  world: World,
  { settingsHost = foreignSettingsHost, allowEmpty = false }: HubOptions = {},
): Hub {
  const { dbPath: file, backupDir } = config;
  const dataFile = openDataFile({ file, backupDir, allowEmpty, world: withComponent(world, "db") });
  try {
    return buildHub(config, world, settingsHost, dataFile);
  } catch (error) {
    dataFile.close();
    if (!isCorrupt(error)) throw error;
    // Large files are not checked before they are opened: now this one is, and set aside in words.
    markSuspect(file, error.message);
    openDataFile({ file, backupDir, world: withComponent(world, "db") }).close();
    throw new StartError(
      "data_file_unusable",
      `The data file ${file} (HUB_DB_PATH) cannot be read (${error.message}), although a check found it sound.`,
    );
  }
}

function buildHub(config: HubConfig, world: World, settingsHost: SettingsHost, dataFile: DataFile): Hub {
  const { db } = dataFile;
  const worldOf = (component: string): World => withComponent(world, component);
  const watch = createDataFileWatch(config.dbPath, worldOf("db"));
  watch.follow(db);
  for (const { kind, detail } of dataFile.problems) watch.report(kind, detail);

  // [1] the one write door
  const changes = createChangeLog(db, worldOf("changes"));
  const memory = createMemory(db);
  const time = createTrustedTime({ world: worldOf("time"), memory, changes, onDisagreement });
  const audit = createAuditLog(db);

  // [2] stores and rules
  const orders = createOrderStore(db, watch.reportDamagedRow);
  const tables = createTableStore(db);
  const plugins = createPluginStore(db, time.now, watch.reportDamagedRow);
  const events = createEventStore(db);
  const keys = createKeyStore(world, db);
  const keyUses = createKeyUses(worldOf("keys"), changes, keys);
  const subscriptions = createSubscriptionStore({ world: worldOf("webhooks"), db, cipher: dataFile.cipher, changes });
  const deliveries = createDeliveryStore(db);
  const mutations = createMutationStore(db);
  const unappliedPayments = createUnappliedPaymentStore(db, watch.reportDamagedRow);
  const losses = createLossStore(db);
  const questions = createQuestionStore(db);
  const terminalStore = createTerminalStore(db);
  const tableRules = createTableRules({ world: worldOf("tables"), changes, tables });
  const leases = createLeaseBook({
    world: worldOf("leases"),
    time,
    changes,
    store: createLeaseStore(db),
    whyFinished: orders.whyFinished,
    isKnown: orders.exists,
    ttlMs: config.leaseTtlMs,
    graceMs: config.graceMs,
  });
  const reachability = createReachability(worldOf("back-office"));
  const client = createBackOfficeClient({
    world: worldOf("back-office"),
    url: config.backOffice.url,
    db: config.backOffice.db,
    onContact: (reached) => reachability.note(reached),
    onServerTime: time.learnBackOfficeTime,
  });
  const own = createOwnSession(worldOf("back-office"), client, config.backOffice.credentials);
  const budget = createRateLimiter(UNKNOWN_SESSIONS_A_MINUTE, world.clock.monotonic);
  const identities = createIdentities({ world: worldOf("back-office"), time, db, changes, client, own, budget });
  const pos = createPosState({ world: worldOf("back-office"), changes, memory, client, own });

  // [3]–[5]
  const floorPlan = createFloorPlan({
    world: worldOf("floor-plan"),
    pos,
    own,
    tables,
    cacheMs: config.floorPlanCacheMs,
  });
  const orderDeps: OrderDeps = {
    world: worldOf("orders"),
    changes,
    orders,
    tables,
    leases,
    tickets: createTicketStore(db),
    numbering: createNumbering(db),
    mutations,
    unappliedPayments,
    session: pos.session,
  };
  const sync = createSyncBuilder({ world, db, orders, tables, plugins, leases });
  let isLostTailNoted = false;
  /** Once in a run: what is open here may have been paid, and numbers that were given must not be given again. */
  async function noteLostTailOnce(): Promise<void> {
    if (isLostTailNoted) return;
    isLostTailNoted = true;
    await changes.write((tx) => {
      noteLostTail(db, world);
      tx.emit({ kind: "notice", notice: { topics: ["losses"] } });
    });
  }
  /**
   * A terminal that has seen more than the data file holds proves that the file lost changes. Others may have seen them too
   * and hold what others were since given the same numbers for: a new epoch makes every terminal read anew.
   */
  async function noteLossSeenBy(since: Since | undefined): Promise<void> {
    const loss = sync.lossSeenBy(since);
    if (loss === null) return;
    if (loss.isPresentEpoch) await changes.read(() => forkEpoch(db, world));
    await noteLostTailOnce();
    watch.report("lost_changes", "a terminal has seen changes that the data file does not hold any more");
  }
  const { hubId } = sync.identity();
  const { intervalMs, batchSize } = { intervalMs: config.forwardIntervalMs, batchSize: config.forwardBatchSize };
  const lookups = createBackOfficeQuestions({
    orderDeps: { ...orderDeps, world: worldOf("restores") },
    losses,
    questions,
    client,
    own,
    waitingEvent: (posReference) => events.ofOrder(posReference).find((event) => event.state !== "done")?.id ?? null,
    confirmEvent: (tx, eventId, orderId) => events.done(eventId, tx.now, orderId, "duplicate", 0),
  });
  const { judge } = lookups;
  const offers = createOffers({
    orderDeps: { ...orderDeps, world: worldOf("restores") },
    losses,
    epoch: () => sync.identity().epoch,
  });
  const forwarder = createForwarder({
    world: worldOf("forwarding"),
    changes,
    events,
    orders,
    client,
    own,
    hubId,
    intervalMs,
    batchSize,
    judge,
  });
  const currentSession = createCurrentSession({ world, pos, own, reachability });
  const pluginService = createPluginService({ world: worldOf("plugins"), time, changes, plugins });
  const sender = createSender(worldOf("webhooks"), () => listeningPort);
  const everyMs = config.webhookDispatchMs;
  const dispatcher = createDispatcher({ world: worldOf("webhooks"), changes, memory, subscriptions, deliveries, sender, everyMs });
  const note = auditWebhooks(audit);
  const webhooks = createWebhookService({ world: worldOf("webhooks"), changes, subscriptions, deliveries, dispatcher, sender, note });
  const pruning = createPruning({ world: worldOf("webhooks"), time, changes, deliveries, subscriptions });
  const jobs = createJobs({ world: worldOf("jobs"), onFailure: watch.reportError });
  const checkpoints = createCheckpoints({ world: worldOf("maintenance"), db, changes, watch, file: config.dbPath, isRead: jobs.isReading });
  const { isStructureUnchecked } = dataFile;
  const backgroundCheck = createBackgroundCheck({
    world: worldOf("maintenance"),
    jobs,
    changes,
    watch,
    file: config.dbPath,
    isStructureUnchecked,
  });
  const maintenance = createMaintenance({
    world: worldOf("maintenance"),
    time,
    changes,
    identities,
    mutations,
    dbPath: config.dbPath,
  });
  const { dbPath, backupDir } = config;
  const backups = createBackups({
    world: worldOf("maintenance"),
    jobs,
    changes,
    memory,
    dbPath,
    backupDir,
    checkpoint: checkpoints.now,
  });
  const dailyBackups = createDailyBackups({ world: worldOf("maintenance"), changes, backups, dbPath, backupDir });

  // [6] edges
  const eventCounts = asLastRead(events.counts, noEvents);
  const openPayments = asLastRead(unappliedPayments.countOpen, 0);
  const status = (): HubMessage => {
    const { pending, attention } = eventCounts();
    return {
      type: "HUB_STATUS",
      backOffice: reachability.isUp() === true ? "up" : "down",
      pendingForward: pending,
      attention: attention + openPayments() + losses.countOpen(),
      diskLow: maintenance.isDiskLow(),
    };
  };
  const peers = createPeers(config.trustedProxies);
  const terminals = createTerminalServer({
    world: worldOf("terminals"),
    config,
    peerOf: peers.of,
    changes,
    identities,
    pos,
    leases,
    tables: tableRules,
    orderDeps,
    sync,
    noteLossSeenBy,
    terminals: terminalStore,
    keepOffers: offers.keep,
    status,
    onTerminal: (event, active) => operator.onTerminal(event, active),
  });
  const sessionRecheck = createSessionRecheck({
    world: worldOf("terminals"),
    identities,
    terminals,
    onChanged: (active) => operator.onTerminal("reported", active),
    everyMs: config.sessionRecheckMs,
  });
  const retention = createRetention({
    world: worldOf("retention"),
    time,
    db,
    changes,
    memory,
    days: config.retention,
    isConnected: (terminalId) => terminals.connected().some(({ active }) => active.terminalId === terminalId),
  });
  const statusUpdates = createStatusUpdates(world, status, terminals.sendToAll);
  const health = createHealth({
    world,
    reachability,
    hasCredentials: own.hasCredentials,
    devAuth: config.devAuth,
    events,
    orders,
    unappliedPayments,
    losses,
    leases,
    maintenance,
    dailyBackups,
    watch,
    connectedTerminals: terminals.count,
    webhookCounts: () => (keys.hasHadOne() ? deliveries.counts() : null),
  });
  const orderList = createOrderList({
    world,
    changes,
    orders,
    jobs,
    file: config.dbPath,
    onDamage: watch.reportDamagedRow,
  });
  const access = createAccess({ identities, keys });
  const apiDeps = {
    world,
    access,
    settled: changes.settled,
    limits: { peer: config.externalRateMax, key: config.externalKeyRateMax, keyAdministration: KEY_CALLS_A_MINUTE },
  };
  const externalHandlers = {
    ...externalFloorRoutes({ world, tables, floorPlan, currentSession }),
    ...externalOrderRoutes({ ...orderDeps, floorPlan, currentSession }, orderList),
    ...externalWebhookRoutes(webhooks),
    ...externalPluginRoutes(pluginService),
  };
  const webhookAdmin = createWebhookAdmin({
    world,
    changes,
    jobs,
    file: config.dbPath,
    note,
    subscriptions,
    deliveries,
    webhooks,
    hasHadKey: keys.hasHadOne,
  });
  const announcer = createAnnouncer(worldOf("discovery"));
  const pairing = (): Pairing => presentPairing({ hubId, name: config.name, port: listeningPort, announcer });
  const operator = createOperator({
    config,
    settingsHost,
    db,
    jobs,
    memory,
    orderDeps: { ...orderDeps, world: worldOf("operator") },
    plugins,
    losses,
    questions,
    events,
    forwarder,
    identities,
    own,
    pos,
    reachability,
    maintenance,
    watch,
    backgroundCheck,
    backups,
    dailyBackups,
    terminals,
    terminalStore,
    health,
    audit,
    access,
    pairing,
    practise: (practice) => createHub(practice, { ...world, log: world.log.child({}, { level: "silent" }) }),
    webhookAdmin,
    hubId,
    version: hubVersion,
  });
  const app = createHttpApp({
    world: worldOf("http"),
    rendererDir: config.rendererDir,
    hostRules: () => ({ allowedHosts: config.allowedHosts, announcedHost: announcer.hostname() }),
    peerOf: peers.of,
    health,
    apis: [
      serveApi(externalApi, externalHandlers, { ...apiDeps, gate: pluginGate(config.enabledPlugins) }),
      serveApi(keyAdministrationApi, keyAdministrationRoutes({ world, changes, keys, audit }), apiDeps),
      apiDocs(apiDocsFolder),
      serveApi(operatorApi, operator.handlers, apiDeps),
    ],
  });

  // What follows a change, in this order: recorders in its transaction, listeners after the commit.
  changes.addRecorder(forwardRecorder(events));
  changes.addRecorder(dispatcher.record);
  changes.addUndoListener(mutations.readAgain);
  changes.addListener(terminals.announce);
  changes.addListener(dispatcher.announce);
  changes.addListener(operator.follow);
  changes.addListener((group) => {
    if (group.some(bearsOnStatus)) statusUpdates.wake();
    if (group.some(isAboutLosses)) lookups.wake();
  });
  reachability.onChange((isUp) => {
    operator.onReachable(isUp);
    statusUpdates.wake();
    if (isUp) lookups.wake();
    if (isUp) forwarder.wake();
    if (isUp) identities.wake();
  });
  own.onChange(operator.onOwnSession);
  time.onConfirmed(pruning.wake);
  time.onConfirmed(retention.wake);

  const polling = createLoop(worldOf("back-office"), "back-office state", config.statePollMs, async () => {
    if (!own.hasCredentials) return;
    await pos.refresh().catch((error: unknown) => {
      if (!(error instanceof BackOfficeError)) throw error;
    });
  });
  let listeningPort = config.port;
  const { backOffice, allowedOrigins, allowedHosts } = config;
  const port = createPortServer({
    world: worldOf("http"),
    onRequest: app.callback(),
    isProxy: peers.isProxy,
    onUpgrade(request, socket, head) {
      if (URL.parse(request.url ?? "", "ws://hub")?.pathname !== "/") return "404 Not Found";
      const rules = { port: listeningPort, backOfficeUrl: backOffice.url, allowedOrigins, allowedHosts };
      return isAllowedOrigin(request.headers.origin, rules)
        ? terminals.upgrade(request, socket, head)
        : "403 Forbidden";
    },
  });

  function onDisagreement(wall: number, backOffice: number): void {
    const facts = { clock: isoTime(wall), backOffice: isoTime(backOffice) };
    world.log.warn(facts, "this computer's clock differs from the back-office's; set it right");
    notifyScreens(changes, world, { topics: [], feed: { kind: "clock_differs", level: "warn" } });
  }

  watch.onProblem(({ kind, detail }) => {
    const feed = { kind: "data_file_doubt", level: "bad", detail: { text: `${kind}: ${detail}` } } as const;
    notifyScreens(changes, world, { topics: ["data_file"], feed });
  });

  /** Writes down what became of a restore that was asked for before this start. */
  async function noteRestore(): Promise<void> {
    const outcome = dataFile.restore;
    if (outcome === null) return;
    const { by, backup, aside } = "done" in outcome ? outcome.done : outcome.failed;
    const target = backup === null ? "empty" : path.basename(backup);
    await changes.write((tx) => {
      if ("done" in outcome) {
        audit.record(tx, by, "backup.restored", target, `kept aside: ${aside}`);
        return;
      }
      audit.record(tx, by, "backup.restore_failed", target, outcome.reason);
      const feed = { kind: "restore_failed", level: "bad", detail: { text: `${target}: ${outcome.reason}` } } as const;
      tx.emit({ kind: "notice", notice: { topics: ["backups"], feed } });
    });
  }

  let isStopping = false;
  function startBackground(): void {
    if (isStopping) return;
    time.start();
    polling.start();
    lookups.start();
    identities.start();
    forwarder.start();
    statusUpdates.start();
    sessionRecheck.start();
    operator.start();
    maintenance.start();
    dailyBackups.start();
    checkpoints.start();
    backgroundCheck.start();
    keyUses.start();
    pluginService.start();
    pruning.start();
    retention.start();
  }

  return {
    async start() {
      await noteRestore();
      if (dataFile.problems.some(({ kind }) => kind === "lost_changes")) await noteLostTailOnce();
      listeningPort = await port.listen(config.port, config.host);
      leases.start();
      tableRules.start();
      terminals.start();
      await dispatcher.start();
      // Whoever started the hub hears its address before the work begins that nobody waits for.
      world.timers.setImmediate(startBackground);
      if (config.devAuth)
        world.log.warn("HUB_DEV_AUTH is on: anyone on this network may use this hub without signing in");
      if (config.mdnsEnabled) {
        const txt = { id: hubId, name: config.name, ver: hubVersion, proto: "1", path: "/" };
        announcer.start({ name: config.name, host: config.host, port: listeningPort, txt });
      }
      return { port: listeningPort };
    },
    async stop() {
      isStopping = true;
      // What is under way at the back-office gets a moment; it may hang, and it is repeated at the next start.
      const cut = world.timers.setTimeout(() => client.stop(), CALLS_END_MS);
      const parts: (() => Promise<void> | void)[] = [
        announcer.stop,
        operator.stop,
        statusUpdates.stop,
        maintenance.stop,
        dailyBackups.stop,
        checkpoints.stop,
        backgroundCheck.stop,
        // Before the data file is closed: the last connection empties its log, and that has to be the one that writes.
        jobs.stop,
        polling.stop,
        sessionRecheck.stop,
        terminals.stop,
        port.close,
        lookups.stop,
        identities.stop,
        forwarder.stop,
        pluginService.stop,
        pruning.stop,
        retention.stop,
        dispatcher.stop,
        keyUses.stop,
        tableRules.stop,
        leases.stop,
        time.stop,
        changes.settled,
      ];
      for (const part of parts) {
        try {
          await part();
        } catch (error) {
          // A full disk, for one: what could not be noted at the end is no reason to leave the rest running.
          world.log.error({ err: error }, "a part of the hub did not stop cleanly");
        }
      }
      world.timers.clearTimeout(cut);
      client.stop();
      dataFile.close();
    },
    resumed: () => leases.giveFreshGrace(),
    health,
    connectedTerminals: terminals.count,
    webhooksPaused: dispatcher.isPaused,
    pauseWebhooks: webhookAdmin.setPaused,
    pairing,
  };
}

/** May what HUB_STATUS counts be another number after this? Whether it is, is found out by counting. */
function bearsOnStatus(change: Change): boolean {
  if (change.kind === "order.stored") return !isActive(change.order.snapshot.status);
  return (
    change.kind === "notice" && change.notice.topics.some((topic) => ["payments", "audit", "losses"].includes(topic))
  );
}

function isAboutLosses(change: Change): boolean {
  return change.kind === "notice" && change.notice.topics.includes("losses");
}
