import type { HealthReport, Pairing } from "@comanda/protocol";
import type { Identities } from "./back-office/identities.ts";
import type { OwnSession } from "./back-office/own-session.ts";
import type { PosState } from "./back-office/pos-state.ts";
import type { Reachability } from "./back-office/reachability.ts";
import type { Change } from "./changes/change.ts";
import type { DataFileWatch } from "./db/data-file-watch.ts";
import type { Db } from "./db/open.ts";
import type { Memory } from "./db/remembered.ts";
import type { EventStore, ReportCounts } from "./forwarding/event-store.ts";
import type { Forwarder } from "./forwarding/forwarder.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { BackgroundCheck } from "./maintenance/background-check.ts";
import type { Backups } from "./maintenance/backups.ts";
import type { DailyBackups } from "./maintenance/daily-backups.ts";
import type { Maintenance } from "./maintenance/maintenance.ts";
import { createActiveOrders } from "./operator/active-orders.ts";
import type { AuditLog } from "./operator/audit-log.ts";
import { createBackOfficeStatus } from "./operator/back-office-status.ts";
import { createBackupAdmin } from "./operator/backup-admin.ts";
import { createDataFileAdmin } from "./operator/data-file.ts";
import { createDrainRate } from "./operator/drain-rate.ts";
import type { PracticeHub } from "./operator/drill.ts";
import { createFeed } from "./operator/feed.ts";
import { findOrders } from "./operator/find-orders.ts";
import { createTicketReader } from "./operator/kitchen-tickets.ts";
import { createLiveFloorPlan } from "./operator/live-floor-plan.ts";
import { createLossAdmin } from "./operator/losses.ts";
import { createOrderHistory } from "./operator/order-history.ts";
import { createOrderRows } from "./operator/order-rows.ts";
import { createOverview } from "./operator/overview.ts";
import { createSessionTotals } from "./operator/session-totals.ts";
import { createSettingsAdmin } from "./operator/settings-admin.ts";
import { createStreamUpdates } from "./operator/stream-updates.ts";
import { createStream } from "./operator/stream.ts";
import { createTerminalList } from "./operator/terminal-list.ts";
import type { WebhookAdmin } from "./operator/webhook-admin.ts";
import type { OrderDeps } from "./orders/order-deps.ts";
import { createOrderFinder } from "./orders/order-search.ts";
import { createLogTail } from "./platform/log-tail.ts";
import { isoTime } from "./platform/world.ts";
import type { PluginStore } from "./plugins/plugin-store.ts";
import type { LossStore } from "./restores/loss-store.ts";
import type { QuestionStore } from "./restores/question-store.ts";
import type { HubConfig } from "./settings/config.ts";
import type { SettingsHost } from "./settings/settings-host.ts";
import type { TerminalServer } from "./terminals/terminal-server.ts";
import type { TerminalStore } from "./terminals/terminal-store.ts";
import type { Access } from "./http/access.ts";
import type { OperatorHandlers } from "./http/handlers.ts";
import { operatorBackOfficeRoutes } from "./http/routes/operator-back-office.ts";
import { operatorLossRoutes } from "./http/routes/operator-losses.ts";
import { operatorOrderRoutes } from "./http/routes/operator-orders.ts";
import { operatorPaymentRoutes } from "./http/routes/operator-payments.ts";
import { operatorPluginRoutes } from "./http/routes/operator-plugins.ts";
import { operatorServiceRoutes } from "./http/routes/operator-service.ts";
import { operatorSignInRoutes } from "./http/routes/operator-sign-in.ts";
import { operatorSystemRoutes } from "./http/routes/operator-system.ts";
import { operatorTerminalRoutes } from "./http/routes/operator-terminals.ts";
import { operatorWebhookRoutes } from "./http/routes/operator-webhooks.ts";

export interface OperatorDeps {
  config: HubConfig;
  settingsHost: SettingsHost;
  db: Db;
  jobs: Jobs;
  memory: Memory;
  orderDeps: OrderDeps;
  plugins: PluginStore;
  losses: LossStore;
  questions: QuestionStore;
  events: EventStore;
  counts: ReportCounts;
  forwarder: Forwarder;
  identities: Identities;
  own: OwnSession;
  pos: PosState;
  reachability: Reachability;
  maintenance: Maintenance;
  watch: DataFileWatch;
  backgroundCheck: BackgroundCheck;
  backups: Backups;
  dailyBackups: DailyBackups;
  terminals: TerminalServer;
  terminalStore: TerminalStore;
  webhookAdmin: WebhookAdmin;
  audit: AuditLog;
  access: Access;
  hubId: string;
  version: string;
  health(): HealthReport;
  pairing(): Pairing;
  /** Builds a hub to practise with. */
  practise(config: HubConfig): PracticeHub;
}

/** Builds what the screens read and do: the handlers of the operator API and the live stream. */
export function createOperator(deps: OperatorDeps) {
  const { config, settingsHost, db, jobs, memory, orderDeps, plugins, losses, questions, events, forwarder } = deps;
  const { identities, own, pos, reachability, maintenance, watch, dailyBackups, terminals, terminalStore } = deps;
  const { webhookAdmin, audit } = deps;
  const { world, changes, orders, tables, leases, unappliedPayments } = orderDeps;
  const { dbPath, backupDir, graceMs } = config;
  const hub = { id: deps.hubId, name: config.name, version: deps.version, startedAt: isoTime(world.clock.now()) };
  const logs = world.logTail ?? createLogTail();

  const activeOrders = createActiveOrders(world, changes, orders);
  const feed = createFeed(world);
  const orderSearch = createOrderFinder(db);
  const orderRows = createOrderRows({ world, orders, leases, orderSearch });
  const ticketsOf = createTicketReader({ orders, activeOrders });
  const backOfficeStatus = createBackOfficeStatus({ world, reachability, own }, (state, text) => {
    if (state === "refused") updates.addToFeed({ kind: "back_office_refused", level: "bad", detail: { text } });
  });
  const liveFloorPlan = createLiveFloorPlan({ world, pos, tables, leases, activeOrders });
  const terminalList = createTerminalList({ world, store: terminalStore, terminals, leases, graceMs });
  const totals = createSessionTotals({ world, db, changes, memory, session: pos.session });
  const drainRate = createDrainRate(world);
  const history = createOrderHistory({
    orders,
    events,
    leases,
    unappliedPayments,
    audit,
    webhookAttempts: webhookAdmin.attemptsOf,
  });
  const backups = createBackupAdmin({
    world,
    db,
    jobs,
    changes,
    backups: deps.backups,
    failure: dailyBackups.failure,
    audit,
    dbPath,
    backupDir,
    connectedTerminals: terminals.count,
  });
  const dataFile = createDataFileAdmin({ db, maintenance, watch, check: deps.backgroundCheck, dbPath });
  const overview = createOverview({
    world,
    hub,
    health: deps.health,
    pos,
    backOfficeStatus,
    terminals: terminalList,
    activeOrders,
    liveFloorPlan,
    leases,
    drainRate,
    counts: deps.counts,
    events,
    totals,
    webhooks: webhookAdmin.counts,
    maintenance,
    watch,
    lastBackupAt: backups.lastAt,
  });
  const stream = createStream({
    world,
    hubId: deps.hubId,
    logs,
    settled: changes.settled,
    judge: deps.access.judge,
    readOverview: overview,
    readTable: liveFloorPlan.table,
    readOrders: orderRows,
    readTickets: ticketsOf,
    readTerminals: (ids) => [...ids].flatMap((id) => terminalList.get(id) ?? []),
  });
  const updates = createStreamUpdates({ world, graceMs, stream, feed, activeOrders, liveFloorPlan });

  const handlers: OperatorHandlers = {
    ...operatorSignInRoutes({ world, identities, recheckStreams: stream.recheck }),
    ...operatorServiceRoutes({
      world,
      tables,
      pos,
      overview,
      feed,
      liveFloorPlan,
      stream,
      activeOrders,
      orderSearch,
      ticketsOf,
      pairing: deps.pairing,
    }),
    ...operatorTerminalRoutes({
      changes,
      audit,
      leases,
      terminalList,
      terminals,
      forgetTerminal: terminalStore.forget,
    }),
    ...operatorOrderRoutes({
      orderDeps,
      audit,
      history,
      liveFloorPlan,
      orderRows,
      findOrders: findOrders.bind(null, { orderSearch, jobs, file: dbPath }),
      hub,
    }),
    ...operatorBackOfficeRoutes({
      config,
      changes,
      audit,
      events,
      forwarder,
      jobs,
      backOfficeStatus,
      drainRate,
      orders,
      own,
      pos,
    }),
    ...operatorPaymentRoutes({
      world,
      changes,
      audit,
      orders,
      unappliedPayments,
      events,
      losses,
      activeOrders,
      terminalList,
      totals,
    }),
    ...operatorWebhookRoutes(webhookAdmin),
    ...operatorPluginRoutes({ world, changes, audit, enabledPlugins: config.enabledPlugins, liveFloorPlan, plugins }),
    ...operatorSystemRoutes({
      world,
      config,
      changes,
      audit,
      backups,
      dataFile,
      jobs,
      logs,
      overview,
      settings: createSettingsAdmin({ config, settingsHost, changes, audit }),
      settingsHost,
      hub,
      practise: deps.practise,
    }),
    ...operatorLossRoutes(createLossAdmin({ orderDeps, losses, questions, audit })),
  };

  return {
    handlers,

    /** Listens to each commit. */
    follow(group: readonly Change[]): void {
      updates.noteChanges(group);
      activeOrders.follow(group);
      totals.follow(group);
      drainRate.follow(group);
      updates.addChangesToFeed(group);
    },
    onTerminal: updates.onTerminal,
    onReachable(isUp: boolean): void {
      updates.onReachable(isUp);
      if (isUp) stream.recheck();
    },
    onOwnSession: updates.noteBackOffice,

    start(): void {
      updates.addToFeed({ kind: "hub_started", level: "info" });
      totals.start();
      stream.start();
    },
    stop(): void {
      updates.stop();
      stream.stop();
    },
  };
}
