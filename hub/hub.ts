import { logEvent } from "./platform/log-event.ts";
import path from "node:path";
import { sentence, type HealthReport, type Pairing } from "@comanda/protocol";
import { createHubAccess } from "./composition/create-access.ts";
import { createChain } from "./composition/create-chain.ts";
import { createCore, type Core } from "./composition/create-core.ts";
import { createDiscovery } from "./composition/create-discovery.ts";
import { createHubHealth } from "./composition/create-health.ts";
import { createHttp } from "./composition/create-http.ts";
import { createOperator } from "./composition/create-operator.ts";
import type { Stores } from "./stores/create-stores.ts";
import { createTerminals } from "./composition/create-terminals.ts";
import { markSuspect } from "./db/integrity/data-file-watch.ts";
import { type DataFile, openDataFile } from "./db/open.ts";
import { followChanges } from "./composition/follow-changes.ts";
import { createLifecycle } from "./composition/lifecycle.ts";
import { listParts } from "./composition/list-parts.ts";
import { createLiveValues } from "./composition/live-values.ts";
import { isCorrupt } from "./platform/error-facts.ts";
import { StartError } from "./platform/errors.ts";
import { createPeers } from "./platform/peer-address.ts";
import { withComponent, type World } from "./platform/world.ts";
import { createPracticeService } from "./practice/practice-service.ts";
import type { HubConfig } from "./settings/config.ts";
import { createRunningNote } from "./settings/running-note.ts";
import { foreignSettingsHost, type SettingsHost } from "./settings/settings-host.ts";
import { createHubClock, type HubClock } from "./time/hub-clock.ts";
import { createTableRules } from "./tables/table-rules.ts";

export interface Hub {
  /** Opens the port. Resolves when terminals can connect. Throws a StartError. */
  start(): Promise<{ port: number }>;
  /** Notifies the terminals, finishes work in progress and closes the data file. */
  stop(): Promise<void>;
  /** Called right before the system ends the process without waiting for a stop. */
  sessionEnds(): void;
  /** The machine woke up: leases get a fresh grace. */
  resumed(): void;
  health(): HealthReport;
  /** For the tray, and for a quit that would disconnect people. */
  connectedTerminals(): number;
  /** How the first terminal finds the hub, for the wizard, which runs before anyone has signed in. */
  pairing(): Pairing;
  webhooksPaused(): boolean;
  /** Pauses or resumes webhooks. Persists across restarts. */
  pauseWebhooks(paused: boolean, by: string): Promise<void>;
}

/** How long a stop waits for calls to the back-office. */
const CALLS_END_MS = 2_000;

export interface HubOptions {
  settingsHost?: SettingsHost;
  /** Starts with an empty data file if this hub's own is missing; otherwise that is a StartError. */
  allowEmpty?: boolean;
  /** Whether this hub had a data file there, even if no trace of it is left. */
  hasHadFile?: boolean;
  /** Practice mode: everyone's PIN is displayed, so every device accepts PINs. */
  arePinsOpen?: boolean;
}

/** Builds the whole hub on its data file. Throws a StartError if the file cannot be used. */
export function createHub(
  config: HubConfig,
  world: World,
  { settingsHost = foreignSettingsHost, allowEmpty = false, hasHadFile = false, arePinsOpen = false }: HubOptions = {},
): Hub {
  const { dbPath: file, backupDir } = config;
  const dbWorld = withComponent(world, "db");
  const dataFile = openDataFile({ file, backupDir, allowEmpty, hasHadFile, world: dbWorld });
  try {
    return buildHub(config, world, { settingsHost, arePinsOpen }, dataFile);
  } catch (error) {
    dataFile.close();
    if (!isCorrupt(error)) throw error;
    // Large files are opened without a full check. Opening it as suspect checks it and sets it aside with a StartError.
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
  machine: World,
  options: Required<Omit<HubOptions, "allowEmpty" | "hasHadFile">>,
  dataFile: DataFile,
): Hub {
  const hubClock = createHubClock(machine.clock);
  const world = { ...machine, clock: hubClock.clock };
  const built = buildParts(config, world, { ...options, hubClock }, dataFile);
  const { core, terminalParts, discovery, runningNote, http, operator, practice, chain, health } = built;
  const { stores, backOffice, pos, orderCommands, documents, background } = core;
  const { terminals, statusUpdates } = terminalParts;
  const { fiscalPollMs } = config;
  followChanges({
    fiscalPollMs,
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
  const parts = listParts({
    stores,
    backOffice,
    background,
    documents,
    access: built.access,
    tableRules: built.tableRules,
    http,
    terminalParts,
    operator,
    practice,
    chain,
    announcing: discovery.announcing,
    runningNote,
  });
  const lifecycle = createLifecycle(world, parts);

  return {
    async start() {
      await noteFindings(core, dataFile);
      await background.refundService.start();
      await built.listen();
      await lifecycle.start();
      if (config.devAuth) {
        world.log.warn(
          logEvent("dev_auth"),
          "HUB_DEV_AUTH is on: anyone on this network may use this hub without signing in",
        );
      }
      return { port: built.port() };
    },
    async stop() {
      // Calls to the back-office get a moment. A call may hang, and is repeated after the next start.
      const cut = world.timers.setTimeout(() => backOffice.client.stop(), CALLS_END_MS);
      await lifecycle.stop();
      world.timers.clearTimeout(cut);
      backOffice.client.stop();
      backOffice.androidUpdates.stop();
      dataFile.close();
    },
    sessionEnds: dataFile.markSound,
    resumed: () => stores.leases.giveFreshGrace(),
    health,
    connectedTerminals: terminals.count,
    webhooksPaused: background.webhooks.dispatcher.isPaused,
    pauseWebhooks: (paused, userName) => background.webhooks.service.setPaused(paused, { userName }),
    pairing: () => discovery.pairing(true),
  };
}

/** Builds the parts of the hub, each from those that it depends on. */
function buildParts(
  config: HubConfig,
  world: World,
  {
    settingsHost,
    arePinsOpen,
    hubClock,
  }: Required<Omit<HubOptions, "allowEmpty" | "hasHadFile">> & { hubClock: HubClock },
  dataFile: DataFile,
) {
  const worldOf = (component: string): World => withComponent(world, component);
  let listeningPort = config.port;
  const port = (): number => listeningPort;
  const live = createLiveValues(config);
  const core = createCore({
    config,
    world,
    worldOf,
    dataFile,
    hubClock,
    arePinsOpen,
    live,
    port,
    isConnected: (terminalId) => terminals.connected().some(({ active }) => active.terminalId === terminalId),
  });
  const { stores, backOffice, pos, orderCommands, sync, background } = core;
  const { changes, tables } = stores;
  const { hubId } = sync.identity();

  const peers = createPeers(config.trustedProxies);
  const tableRules = createTableRules({ world: worldOf("tables"), changes, tables, plannedTables: pos.tables });
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
    reportLossOf: core.lostTail.reportProofOf,
    onTerminal: (event, active) => operator.onTerminal(event, active),
  });
  const { terminals } = terminalParts;

  const access = createHubAccess(worldOf("http"), stores, backOffice);
  const health = createHubHealth({ world, config, stores, backOffice, background, terminals });
  const discovery = createDiscovery({ worldOf, config, changes, hubId, port });
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
    background,
    hubId,
    views: () => operator.forHeadquarters,
  });
  const operator = createOperator({
    world: worldOf("operator"),
    config,
    settingsHost,
    db: dataFile.db,
    stores,
    pos,
    backOffice,
    orderCommands,
    background,
    terminals,
    access,
    hubId,
    health,
    pairing: discovery.pairing,
    practice,
    chain,
    live: live.settings(backOffice.pos, runningNote.refresh),
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
    documents: core.documents,
    access,
    operatorHandlers: operator.handlers,
    discovery,
    terminals,
    hubId,
    peers,
    practice,
    health,
    port,
  });
  return {
    core,
    access,
    tableRules,
    terminalParts,
    health,
    discovery,
    runningNote,
    practice,
    chain,
    operator,
    http,
    port,
    async listen(): Promise<void> {
      listeningPort = await http.listen(config.port, config.host);
    },
  };
}

/** Records what opening the data file found, and handles what is missing or damaged. */
async function noteFindings({ stores, lostTail, settleDamage }: Core, dataFile: DataFile): Promise<void> {
  await noteRestore(stores, dataFile);
  if (dataFile.problems.some(({ kind }) => kind === "lost_changes")) await lostTail.note();
  if (dataFile.problems.some(({ kind }) => kind === "damaged_records")) await settleDamage();
}

/** Records the result of a restore that was staged before this start. */
async function noteRestore({ changes, audit }: Stores, { restore: outcome }: DataFile): Promise<void> {
  if (outcome === null) return;
  const { by, backup, aside } = "done" in outcome ? outcome.done : outcome.failed;
  const target = backup === null ? "empty" : path.basename(backup);
  await changes.write((tx) => {
    if ("done" in outcome) {
      audit.record(tx, by, "backup.restored", target, sentence("note_kept_aside", { path: aside }));
      return;
    }
    audit.record(tx, by, "backup.restore_failed", target, outcome.reason);
    tx.notify(["backups"], { kind: "restore_failed", level: "bad", detail: { text: target } });
  });
}
