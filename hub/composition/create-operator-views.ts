import type { HealthReport, Sentence } from "@comanda/protocol";
import type { Core } from "./create-core.ts";
import type { Db } from "../db/open.ts";
import { createBackOfficeStatus } from "../operator/back-office/back-office-status.ts";
import { createBackupAdmin } from "../operator/system/backup-admin.ts";
import { createDrainRate } from "../operator/back-office/drain-rate.ts";
import { createFeed } from "../operator/stream/feed.ts";
import { createKitchenTickets } from "../operator/service/kitchen-tickets.ts";
import { createLiveFloorPlan } from "../operator/service/live-floor-plan.ts";
import { createNotInAccounting } from "../operator/back-office/not-in-accounting.ts";
import { createPlaceOfOrder } from "../operator/orders/place-of-order.ts";
import { createOrderRows } from "../operator/orders/order-rows.ts";
import { createOutages } from "../operator/back-office/outages.ts";
import { createOverview } from "../operator/overview.ts";
import { createSessionTotals } from "../operator/back-office/session-totals.ts";
import { createTerminalList } from "../operator/terminals/terminal-list.ts";
import { auditWebhooks } from "../operator/integrations/audit-webhooks.ts";
import { createWebhookAdmin } from "../operator/integrations/webhook-admin.ts";
import { createOrderFinder } from "../orders/lists/order-search.ts";
import { hubVersion } from "../platform/paths.ts";
import { isoTime, type World } from "../platform/world.ts";
import type { HubConfig } from "../settings/config.ts";
import type { TerminalServer } from "../terminals/terminal-server.ts";

export interface OperatorViewsDeps extends Pick<Core, "stores" | "pos" | "backOffice" | "background"> {
  world: World;
  config: HubConfig;
  db: Db;
  terminals: TerminalServer;
  hubId: string;
  health(): HealthReport;
}

export type OperatorViews = ReturnType<typeof createOperatorViews>;

/** Builds what the screens show, each read on demand. */
export function createOperatorViews(deps: OperatorViewsDeps, onBackOfficeRefused: (reason: Sentence) => void) {
  const { world, config, db, stores, backOffice, background, terminals } = deps;
  const { changes, orders, leases, tables, memory, events, watch, tickets, terminalStore, counts, fiscalRequests } =
    stores;
  const { pos, own, reachability } = backOffice;
  const { maintenance, dailyBackups, secondFolder, backups } = background.storage;
  const { dbPath, backupDir, secondBackupDir, graceMs } = config;
  const hub = {
    id: deps.hubId,
    name: config.name,
    version: hubVersion,
    startedAt: isoTime(world.clock.now()),
    timeZone: config.timeZone,
  };

  const orderSearch = createOrderFinder(db);
  const kitchenTickets = createKitchenTickets({ tickets });
  const outages = createOutages({ world, changes, memory, reachability, events });
  const backOfficeStatus = createBackOfficeStatus(
    { world, reachability, own, pos, config, outages },
    (state, reason) => {
      if (state === "refused" && reason !== null) onBackOfficeRefused(reason);
    },
  );
  const liveFloorPlan = createLiveFloorPlan({ world, tables, leases, pos, orders });
  const placeOfOrder = createPlaceOfOrder(orders);
  const terminalList = createTerminalList({ world, leases, store: terminalStore, terminals, placeOfOrder, graceMs });
  const notInAccounting = createNotInAccounting({ db, placeOfOrder });
  const { session } = deps.pos;
  const totals = createSessionTotals({
    world,
    changes,
    orders,
    session,
    db,
    watch,
    memory,
    time: stores.time,
    notInAccounting,
    refunds: stores.refunds,
  });
  const drainRate = createDrainRate(world);
  const backupAdmin = createBackupAdmin({
    world,
    db,
    jobs: background.jobs,
    changes,
    audit: stores.audit,
    backups,
    dbPath,
    backupDir,
    secondBackupDir,
    hubId: deps.hubId,
    failure: dailyBackups.failure,
    second: secondFolder.read,
    connectedTerminals: terminals.count,
  });
  const { subscriptions, deliveries, gathered, audit, keys } = stores;
  const webhookAdmin = createWebhookAdmin({
    world,
    changes,
    subscriptions,
    deliveries,
    gathered,
    jobs: background.jobs,
    file: dbPath,
    note: auditWebhooks(audit),
    webhooks: background.webhooks.service,
    hasHadKey: keys.hasHadOne,
    tablesNamed: liveFloorPlan.named,
  });
  const overview = createOverview({
    world,
    hub,
    health: deps.health,
    leases,
    pos,
    backOfficeStatus,
    terminalList,
    orders,
    liveFloorPlan,
    kitchenTickets,
    counts,
    events,
    fiscalRequests,
    printJobs: stores.printJobs,
    proposals: stores.proposals,
    ncfSequences: background.ncfSequences,
    isContingency: deps.pos.isContingency,
    drainRate,
    totals,
    webhooks: webhookAdmin.counts,
    maintenance,
    watch,
    lastBackupAt: backupAdmin.lastGoodAt,
    backups: backupAdmin.overview,
  });
  return {
    hub,
    feed: createFeed(world),
    orderSearch,
    orderRows: createOrderRows({ world, orders, leases, orderSearch }),
    kitchenTickets,
    backOfficeStatus,
    liveFloorPlan,
    terminalList,
    placeOfOrder,
    notInAccounting,
    totals,
    drainRate,
    backupAdmin,
    webhookAdmin,
    overview,
  };
}
