import type { HealthReport, Pairing, Station } from "@comanda/protocol";
import type { Change, Tx } from "./changes/change.ts";
import type { BackOffice } from "./create-back-office.ts";
import type { Background } from "./create-background.ts";
import type { Stores } from "./create-stores.ts";
import type { Db } from "./db/open.ts";
import type { Access } from "./http/access/access.ts";
import type { OperatorHandlers } from "./http/handlers.ts";
import type { PasswordSignIn } from "./http/access/password-sign-in.ts";
import type { PinSessions } from "./http/access/pin-sessions.ts";
import { operatorKeyRoutes } from "./http/routes/key-administration.ts";
import { operatorBackOfficeRoutes } from "./http/routes/operator-back-office.ts";
import { operatorFiscalRoutes } from "./http/routes/operator-fiscal.ts";
import { operatorItemStateRoutes } from "./http/routes/operator-item-states.ts";
import { operatorKeptChangeRoutes } from "./http/routes/operator-kept-changes.ts";
import { operatorLossRoutes } from "./http/routes/operator-losses.ts";
import { operatorOrderRoutes } from "./http/routes/operator-orders.ts";
import { operatorPaymentRoutes } from "./http/routes/operator-payments.ts";
import { operatorPeopleRoutes } from "./http/routes/operator-people.ts";
import { operatorPluginRoutes } from "./http/routes/operator-plugins.ts";
import { operatorServiceRoutes } from "./http/routes/operator-service.ts";
import { operatorSignInRoutes } from "./http/routes/operator-sign-in.ts";
import { operatorSystemRoutes } from "./http/routes/operator-system.ts";
import { operatorTerminalRoutes } from "./http/routes/operator-terminals.ts";
import { operatorWebhookRoutes } from "./http/routes/operator-webhooks.ts";
import { createActiveOrders } from "./operator/orders/active-orders.ts";
import { createBackOfficeStatus } from "./operator/back-office/back-office-status.ts";
import { createBackupAdmin } from "./operator/system/backup-admin.ts";
import { createDataFileAdmin } from "./operator/system/data-file.ts";
import { createDrainRate } from "./operator/back-office/drain-rate.ts";
import type { PracticeHub } from "./operator/system/drill.ts";
import { createFeed } from "./operator/stream/feed.ts";
import { createKitchenTickets } from "./operator/service/kitchen-tickets.ts";
import { createLiveFloorPlan } from "./operator/service/live-floor-plan.ts";
import { createLossAdmin } from "./operator/system/losses.ts";
import { createNotInAccounting } from "./operator/back-office/not-in-accounting.ts";
import { createOrderHistory } from "./operator/orders/order-history.ts";
import { createOrderRows } from "./operator/orders/order-rows.ts";
import { createOutages } from "./operator/back-office/outages.ts";
import { createOverview } from "./operator/overview.ts";
import { createSessionTotals } from "./operator/back-office/session-totals.ts";
import { createSettingsAdmin } from "./operator/system/settings-admin.ts";
import { createStreamUpdates } from "./operator/stream/stream-updates.ts";
import { createStream } from "./operator/stream/stream.ts";
import { createTerminalList } from "./operator/terminals/terminal-list.ts";
import type { WebhookAdmin } from "./operator/integrations/webhook-admin.ts";
import type { OrderDeps } from "./orders/order-deps.ts";
import type { PracticeService } from "./practice/practice-service.ts";
import { createOrderFinder } from "./orders/lists/order-search.ts";
import { createLogTail } from "./platform/log-tail.ts";
import { isoTime } from "./platform/world.ts";
import type { HubConfig } from "./settings/config.ts";
import type { SettingsHost } from "./settings/settings-host.ts";
import type { TerminalServer } from "./terminals/terminal-server.ts";

export interface OperatorDeps extends Stores, BackOffice, Background {
  config: HubConfig;
  settingsHost: SettingsHost;
  db: Db;
  orderDeps: OrderDeps;
  terminals: TerminalServer;
  webhookAdmin: WebhookAdmin;
  access: Access;
  passwordSignIn: PasswordSignIn;
  pinSessions: PinSessions;
  hubId: string;
  version: string;
  health(): HealthReport;
  /** With the code that tests the network, for whoever is trusted with it. */
  pairing(isTrusted: boolean): Pairing;
  practice: PracticeService;
  /** Has the kitchen work with other stations from now on. */
  changeStations(tx: Tx, stations: readonly Station[]): void;
  /** Builds a hub for the drill. */
  practise(config: HubConfig): PracticeHub;
}

/** Builds what the screens read and do: the handlers of the operator API and the live stream. */
export function createOperator(given: OperatorDeps) {
  const { config, orderDeps, terminals, terminalStore, webhookAdmin } = given;
  const { world, changes, orders } = orderDeps;
  const { dbPath, backupDir, secondBackupDir, graceMs } = config;
  const hub = {
    id: given.hubId,
    name: config.name,
    version: given.version,
    startedAt: isoTime(world.clock.now()),
    timeZone: config.timeZone,
  };
  /** Each part takes of these what it names. */
  const deps = { ...given, ...orderDeps, hub, dbPath, backupDir, secondBackupDir, graceMs };

  const activeOrders = createActiveOrders(world, changes, orders);
  const feed = createFeed(world);
  const orderSearch = createOrderFinder(given.db);
  const orderRows = createOrderRows({ ...deps, orderSearch });
  const kitchenTickets = createKitchenTickets(deps);
  const outages = createOutages(deps);
  const backOfficeStatus = createBackOfficeStatus({ ...deps, outages }, (state, text) => {
    if (state === "refused") updates.addToFeed({ kind: "back_office_refused", level: "bad", detail: { text } });
  });
  const liveFloorPlan = createLiveFloorPlan({ ...deps, activeOrders });
  const terminalList = createTerminalList({ ...deps, store: terminalStore });
  const notInAccounting = createNotInAccounting(deps);
  const totals = createSessionTotals({ ...deps, notInAccounting });
  const drainRate = createDrainRate(world);
  const shown = {
    activeOrders,
    feed,
    orderSearch,
    orderRows,
    kitchenTickets,
    backOfficeStatus,
    liveFloorPlan,
    terminalList,
  };
  const backups = createBackupAdmin({
    ...deps,
    failure: given.dailyBackups.failure,
    second: given.secondFolder.read,
    connectedTerminals: terminals.count,
  });
  const overview = createOverview({
    ...deps,
    ...shown,
    drainRate,
    totals,
    webhooks: webhookAdmin.counts,
    lastBackupAt: backups.lastGoodAt,
    backups: backups.overview,
  });
  const logs = world.logTail ?? createLogTail();
  const stream = createStream({
    ...deps,
    logs,
    settled: changes.settled,
    judge: given.access.judge,
    readOverview: overview,
    readTable: liveFloorPlan.table,
    readOrders: orderRows,
    readTickets: kitchenTickets.get,
    readTerminals: (ids) => [...ids].flatMap((id) => terminalList.get(id) ?? []),
  });
  given.pinSessions.onEnded(stream.recheck);
  given.identities.onSignOut(stream.recheck);
  const updates = createStreamUpdates({ world, graceMs, stream, feed, activeOrders, liveFloorPlan });

  /** Each group of routes takes of these what it declares. */
  const routeDeps = {
    ...deps,
    ...shown,
    drainRate,
    totals,
    notInAccounting,
    overview,
    stream,
    logs,
    backups,
    forgetTerminal(terminalId: string): boolean {
      given.people.forgetDevice(terminalId);
      return terminalStore.forget(terminalId);
    },
    history: createOrderHistory({ ...deps, webhookAttempts: webhookAdmin.attemptsOf }),
    dataFile: createDataFileAdmin({ ...deps, check: given.backgroundCheck }),
    settings: createSettingsAdmin(deps),
  };
  const handlers: OperatorHandlers = {
    ...operatorSignInRoutes(routeDeps),
    ...operatorServiceRoutes(routeDeps),
    ...operatorItemStateRoutes(routeDeps),
    ...operatorTerminalRoutes(routeDeps),
    ...operatorPeopleRoutes(routeDeps),
    ...operatorOrderRoutes(routeDeps),
    ...operatorBackOfficeRoutes(routeDeps),
    ...operatorPaymentRoutes(routeDeps),
    ...operatorKeptChangeRoutes(routeDeps),
    ...operatorFiscalRoutes(routeDeps),
    ...operatorKeyRoutes(routeDeps),
    ...operatorWebhookRoutes(webhookAdmin),
    ...operatorPluginRoutes(routeDeps),
    ...operatorSystemRoutes(routeDeps),
    ...operatorLossRoutes(createLossAdmin(deps)),
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
      updates.onReachable(isUp, backOfficeStatus.read().everReached);
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
