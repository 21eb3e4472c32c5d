import path from "node:path";
import { hubSentence, type HealthReport, type Pairing } from "@comanda/protocol";
import type { Change } from "./changes/change.ts";
import { notifyScreens } from "./changes/notify-screens.ts";
import { createBackOffice } from "./create-back-office.ts";
import { createBackground } from "./create-background.ts";
import { createHttp } from "./create-http.ts";
import { createLostTail } from "./create-lost-tail.ts";
import { createOperator } from "./create-operator.ts";
import { createStores, type Stores } from "./create-stores.ts";
import { markSuspect } from "./db/integrity/data-file-watch.ts";
import { type DataFile, openDataFile } from "./db/open.ts";
import { createAnnouncer } from "./discovery/announce.ts";
import { createCreditChecks } from "./fiscal/credit-checks.ts";
import { fiscalRecorder } from "./fiscal/fiscal-numbers.ts";
import { forwardRecorder } from "./forwarding/event-store.ts";
import { createAccess } from "./http/access/access.ts";
import { createPasswordSignIn } from "./http/access/password-sign-in.ts";
import { createPinSessions } from "./http/access/pin-sessions.ts";
import { createHealth } from "./http/health.ts";
import { affectsStatus, readHubStatus } from "./hub-status.ts";
import { auditWebhooks } from "./operator/integrations/audit-webhooks.ts";
import { createNetworkReach } from "./operator/terminals/network-reach.ts";
import { presentPairing } from "./operator/terminals/pairing.ts";
import { countWaiting } from "./webhooks/count-waiting.ts";
import { createWebhookAdmin } from "./operator/integrations/webhook-admin.ts";
import { creditRecorder } from "./orders/payments/credit-rules.ts";
import type { OrderDeps } from "./orders/order-deps.ts";
import { isCorrupt, StartError } from "./platform/errors.ts";
import { hubVersion } from "./platform/paths.ts";
import { createPeers } from "./platform/peer-address.ts";
import { withComponent, type World } from "./platform/world.ts";
import { createPracticeService } from "./practice/practice-service.ts";
import { createDamageSettler } from "./settle-damaged.ts";
import type { HubConfig } from "./settings/config.ts";
import { foreignSettingsHost, type SettingsHost } from "./settings/settings-host.ts";
import { createTableRules } from "./tables/table-rules.ts";
import { createSessionRecheck } from "./terminals/sign-in/recheck-sessions.ts";
import { createStatusUpdates } from "./terminals/broadcasts/status-updates.ts";
import { createSyncBuilder } from "./terminals/sync/sync.ts";
import { createTerminalServer } from "./terminals/terminal-server.ts";

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

  const { db } = dataFile;
  const stores = createStores(config, worldOf, dataFile, { arePinsOpen });
  const { changes, time, leases, itemStates, audit, events, keys, mutations } = stores;
  let { stations } = config;
  const stationsNow = () => stations;
  const backOffice = createBackOffice(config, worldOf, db, stores, stationsNow);
  const { reachability, client, own, identities, pos, polling } = backOffice;
  const posConfig = () => pos.config()?.value ?? null;
  const orderDeps: OrderDeps = {
    ...stores,
    world: worldOf("orders"),
    session: pos.session,
    posConfig,
    plannedTables: pos.tableIds,
    stations: stationsNow,
    takeBackMs: config.takeBackMs,
    uncheckedCredit: config.uncheckedCredit,
    askCredit: createCreditChecks({ ...stores, client, own, posConfig }),
  };
  const sync = createSyncBuilder({ ...stores, world, db });
  const { hubId } = sync.identity();
  const lostTail = createLostTail(db, stores, sync, worldOf("db"));
  const settleDamage = createDamageSettler(db, worldOf("db"), stores);
  const background = createBackground({
    ...stores,
    settleDamage,
    ...backOffice,
    config,
    worldOf,
    dataFile,
    orderDeps,
    sync,
    port,
    isConnected: (terminalId) => terminals.connected().some(({ active }) => active.terminalId === terminalId),
  });
  const { lookups, forwarder, fiscalNumbers, dispatcher, jobs, pruning, retention, dailyBackups, secondFolder } =
    background;
  const { checkpoints, backgroundCheck, maintenance, keyUses, pluginService, ticketExpiry } = background;

  const status = () => readHubStatus(stores, backOffice, background);
  const peers = createPeers(config.trustedProxies);
  const tableRules = createTableRules({ ...stores, world: worldOf("tables"), planned: pos.tableIds });
  const terminals = createTerminalServer({
    ...stores,
    ...backOffice,
    world: worldOf("terminals"),
    config,
    peerOf: peers.of,
    tables: tableRules,
    orderDeps,
    sync,
    noteLossSeenBy: lostTail.noteSeenBy,
    offers: background.offers,
    completeAnswer: fiscalNumbers.completeAnswer,
    status,
    onTerminal: (event, active) => operator.onTerminal(event, active),
  });
  const statusUpdates = createStatusUpdates(worldOf("terminals"), status, terminals.sendToAll);
  const sessionRecheck = createSessionRecheck({
    world: worldOf("terminals"),
    identities,
    terminals,
    onChanged: (active) => operator.onTerminal("reported", active),
    everyMs: config.sessionRecheckMs,
  });

  const waitingForWebhooks = countWaiting(stores);
  const health = createHealth({
    ...stores,
    ...background,
    world,
    reachability,
    hasCredentials: own.hasCredentials,
    devAuth: config.devAuth,
    isHubModeOff: () => pos.config()?.value.hubMode === false,
    connectedTerminals: terminals.count,
    webhookCounts: () => (keys.hasHadOne() ? waitingForWebhooks.counts() : null),
    areReceiversPaused: () => stores.subscriptions.paused(world.clock.now()).length > 0,
  });
  const pinSessions = createPinSessions({ ...stores, world: worldOf("http"), reachability });
  const access = createAccess({ ...stores, identities, pinSessions, keys, isLineDown: backOffice.isLineDown });
  const passwordSignIn = createPasswordSignIn({ world: worldOf("http"), identities });
  const announcer = createAnnouncer(worldOf("discovery"));
  const networkReach = createNetworkReach(worldOf("operator"), () =>
    notifyScreens(changes, worldOf("operator"), { topics: ["pairing"] }),
  );
  const pairing = (isTrusted: boolean): Pairing =>
    presentPairing(
      { hubId, name: config.name, host: config.host, port: listeningPort, announcer },
      isTrusted ? networkReach.read() : null,
    );
  const webhookAdmin = createWebhookAdmin({
    ...stores,
    ...background,
    world: worldOf("operator"),
    file: config.dbPath,
    note: auditWebhooks(audit),
    hasHadKey: keys.hasHadOne,
  });
  const practice = createPracticeService({
    world: worldOf("practice"),
    config,
    stations: stationsNow,
    pos,
    people: stores.people,
  });
  const operator = createOperator({
    ...stores,
    ...backOffice,
    ...background,
    config,
    settingsHost,
    db,
    orderDeps: { ...orderDeps, world: worldOf("operator") },
    terminals,
    webhookAdmin,
    access,
    passwordSignIn,
    pinSessions,
    hubId,
    version: hubVersion,
    health,
    pairing,
    practice,
    changeStations(tx, next) {
      stations = [...next];
      pos.noteStations(tx);
    },
    practise: (practice) => createHub(practice, { ...world, log: world.log.child({}, { level: "silent" }) }),
  });
  const http = createHttp({
    ...stores,
    ...backOffice,
    ...background,
    config,
    worldOf,
    orderDeps,
    access,
    passwordSignIn,
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

  // What follows a change, in this order: recorders in its transaction, listeners after the commit.
  changes.addRecorder(forwardRecorder(events));
  changes.addRecorder(fiscalRecorder(stores));
  changes.addRecorder(creditRecorder(stores.credits, posConfig));
  changes.addRecorder(dispatcher.record);
  changes.addUndoListener(mutations.readAgain);
  changes.addListener(terminals.announce);
  changes.addListener(dispatcher.announce);
  changes.addListener(operator.follow);
  changes.addListener(fiscalNumbers.follow);
  changes.addListener((group) => {
    if (group.some(affectsStatus)) statusUpdates.wake();
    if (group.some(isAboutLosses)) lookups.wake();
  });
  for (const end of [terminals.endSignedOut, practice.endSignedOut]) identities.onSignOut(end);
  reachability.onChange((isUp) => {
    operator.onReachable(isUp);
    statusUpdates.wake();
    if (isUp) for (const part of [lookups, fiscalNumbers, forwarder, identities]) part.wake();
  });
  own.onChange(operator.onOwnSession);
  time.onConfirmed(pruning.wake);
  time.onConfirmed(retention.wake);

  let isStopping = false;
  function startBackground(): void {
    if (isStopping) return;
    const parts = [
      time,
      polling,
      lookups,
      identities,
      fiscalNumbers,
      forwarder,
      statusUpdates,
      sessionRecheck,
      operator,
      maintenance,
    ];
    for (const part of parts) part.start();
    const bulk = [dailyBackups, secondFolder, checkpoints, backgroundCheck, keyUses, pluginService, ticketExpiry];
    for (const part of [...bulk, pruning, retention, practice]) part.start();
  }

  return {
    async start() {
      await noteRestore(stores, dataFile);
      if (dataFile.problems.some(({ kind }) => kind === "lost_changes")) await lostTail.note();
      if (dataFile.problems.some(({ kind }) => kind === "damaged_records")) await settleDamage();
      listeningPort = await http.listen(config.port, config.host);
      leases.start();
      tableRules.start();
      itemStates.start();
      terminals.start();
      await dispatcher.start();
      // The caller learns the address before background work begins.
      world.timers.setImmediate(startBackground);
      if (config.devAuth) {
        world.log.warn("HUB_DEV_AUTH is on: anyone on this network may use this hub without signing in");
      }
      if (config.mdnsEnabled) {
        const txt = { id: hubId, name: config.name, ver: hubVersion, proto: "1", path: "/" };
        announcer.start({ name: config.name, host: config.host, port: listeningPort, txt });
      }
      return { port: listeningPort };
    },
    async stop() {
      isStopping = true;
      // Calls to the back-office get a moment; one may hang, and is repeated after the next start.
      const cut = world.timers.setTimeout(() => client.stop(), CALLS_END_MS);
      const parts: (() => Promise<void> | void)[] = [
        announcer.stop,
        practice.stop,
        operator.stop,
        statusUpdates.stop,
        maintenance.stop,
        secondFolder.stop,
        dailyBackups.stop,
        checkpoints.stop,
        backgroundCheck.stop,
        // Before the data file is closed: the last connection truncates the log, and that has to be the one that writes.
        jobs.stop,
        polling.stop,
        sessionRecheck.stop,
        terminals.stop,
        http.close,
        lookups.stop,
        identities.stop,
        fiscalNumbers.stop,
        forwarder.stop,
        pluginService.stop,
        ticketExpiry.stop,
        pruning.stop,
        retention.stop,
        dispatcher.stop,
        keyUses.stop,
        tableRules.stop,
        itemStates.stop,
        pinSessions.stop,
        leases.stop,
        time.stop,
        changes.settled,
      ];
      for (const part of parts) {
        try {
          await part();
        } catch (error) {
          // For example on a full disk: the other parts must stop all the same.
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
      audit.record(tx, by, "backup.restored", target, hubSentence("note_kept_aside", { path: aside }));
      return;
    }
    audit.record(tx, by, "backup.restore_failed", target, outcome.reason);
    tx.notify(["backups"], { kind: "restore_failed", level: "bad", detail: { text: `${target}: ${outcome.reason}` } });
  });
}

function isAboutLosses(change: Change): boolean {
  return change.kind === "notice" && change.notice.topics.includes("losses");
}
