import type { HealthReport, NcfSequenceStatus, Overview, StoredOrder } from "@comanda/protocol";
import { sum, paidSoFar } from "@comanda/rules";
import type { PosState } from "../back-office/pos-state.ts";
import { asLastRead } from "../db/rows/as-last-read.ts";
import type { Maintenance } from "../maintenance/maintenance.ts";
import { isoTime, isoTimeOrNull, type World } from "../platform/world.ts";
import type { Stores } from "../stores/create-stores.ts";
import type { BackOfficeStatusView } from "./back-office/back-office-status.ts";
import type { DrainRate } from "./back-office/drain-rate.ts";
import type { KitchenTickets } from "./service/kitchen-tickets.ts";
import type { LiveFloorPlanState } from "./service/live-floor-plan.ts";
import { noTotals, type SessionTotals } from "./back-office/session-totals.ts";
import { hasUnsentWork, type TerminalBook } from "./terminals/terminal-list.ts";

interface OverviewDeps extends Pick<
  Stores,
  "leases" | "orders" | "counts" | "events" | "fiscalRequests" | "printJobs" | "proposals" | "watch"
> {
  world: World;
  hub: Overview["hub"];
  health: () => HealthReport;
  pos: Pick<PosState, "session" | "catalogue">;
  backOfficeStatus: BackOfficeStatusView;
  terminalList: TerminalBook;
  liveFloorPlan: LiveFloorPlanState;
  kitchenTickets: Pick<KitchenTickets, "counts">;
  ncfSequences: () => NcfSequenceStatus[] | null;
  isContingency: () => boolean;
  drainRate: DrainRate;
  totals: Pick<SessionTotals, "read">;
  webhooks: () => Overview["webhooks"];
  maintenance: Maintenance;
  lastBackupAt: () => number | null;
  backups: () => Overview["backups"];
}

/** Reads the state of the hub. All counts come from memory or an index, so that it can be read often. */
export function createOverview(deps: OverviewDeps): (isManager: boolean) => Overview {
  const counts = countsFor(deps);
  return (isManager) => readOverview(deps, counts, isManager);
}

const noTickets: Overview["kitchen"] = { open: 0, unseen: 0, late: 0, oldestAt: null, unseenAt: null };

type Counts = ReturnType<typeof countsFor>;

/** Counts with fallbacks: the overview reports a damaged data file, so damage must not make it fail. */
function countsFor(deps: OverviewDeps) {
  return {
    ...deps.counts,
    oldestPendingAt: asLastRead(deps.events.oldestPendingAt, null),
    nextReturnAt: asLastRead(deps.events.nextReturnAt, null),
    pendingNumbers: asLastRead(deps.fiscalRequests.countPending, 0),
    openPrints: asLastRead(deps.printJobs.countOpen, 0),
    askedProposals: asLastRead(deps.proposals.countAsked, 0),
    kitchen: asLastRead(deps.kitchenTickets.counts, noTickets),
    totals: asLastRead(deps.totals.read, noTotals),
    webhooks: asLastRead(deps.webhooks, null),
  };
}

function readOverview(deps: OverviewDeps, counts: Counts, isManager: boolean): Overview {
  const { world, terminalList, leases, maintenance, watch } = deps;
  const { status, reasons } = deps.health();
  const terminals = terminalList.list();
  const unsent = terminals.filter(hasUnsentWork);
  const orders = deps.orders.listActive();
  const queued = counts.events();
  const { pending, attention, setAside, forwarded } = queued;
  const lastBackupAt = isoTimeOrNull(deps.lastBackupAt());
  const overview: Overview = {
    at: isoTime(world.clock.now()),
    hub: deps.hub,
    status,
    reasons,
    sessionOpen: deps.pos.session()?.active ?? null,
    backOffice: deps.backOfficeStatus.read(isManager),
    terminals: {
      connected: terminals.filter((each) => each.state === "connected").length,
      away: terminals.filter((each) => each.state !== "connected").length,
      unsent: {
        pending: unsent.reduce((count, each) => count + (each.outbox?.pending ?? 0), 0),
        oldestAt: unsent.flatMap((each) => each.outbox?.oldestAt ?? []).sort()[0] ?? null,
        terminals: unsent.length,
        payments: unsent.reduce((count, each) => count + (each.outbox?.payments ?? 0), 0),
      },
    },
    orders: countOrders(orders),
    tables: deps.liveFloorPlan.counts(),
    leases: leases.count(),
    kitchen: counts.kitchen(),
    forward: {
      pending: pending - attention,
      oldestAt: isoTimeOrNull(counts.oldestPendingAt()),
      estimateMs: deps.drainRate.estimateMs(queued),
      waitingForNumber: queued.held,
      attention: attention - setAside,
      setAside,
      setAsideUntil: setAside === 0 ? null : isoTimeOrNull(counts.nextReturnAt()),
      total: forwarded,
    },
    unappliedPayments: counts.openPayments(),
    keptChanges: counts.openChanges(),
    openPrints: counts.openPrints(),
    proposals: counts.askedProposals(),
    losses: counts.openLosses(),
    fiscal: {
      pending: counts.pendingNumbers(),
      failed: counts.failedNumbers(),
      sequences: deps.ncfSequences(),
      receipts: counts.openReceipts(),
      isContingency: deps.isContingency(),
    },
    webhooks: counts.webhooks(),
    disk: { low: maintenance.isDiskLow(), freeBytes: maintenance.freeBytes() },
    dataFile: { ok: !watch.hasProblem(), doubts: watch.problems().map(({ kind }) => kind) },
    lastBackupAt,
    backups: deps.backups(),
  };
  return isManager ? { ...overview, detail: readDetail(deps, counts, orders) } : overview;
}

function readDetail(
  { pos }: OverviewDeps,
  counts: Counts,
  orders: readonly StoredOrder[],
): NonNullable<Overview["detail"]> {
  const { paidAmount, notYetInAccounting } = counts.totals();
  return {
    sessionName: pos.session()?.name ?? null,
    currency: pos.catalogue()?.currency ?? "",
    openTotal: sum(orders.map((order) => order.snapshot.totals.total)),
    openPaid: sum(orders.map((order) => paidSoFar(order.snapshot))),
    paidTotal: paidAmount,
    notYetInAccounting,
  };
}

function countOrders(orders: readonly StoredOrder[]): Overview["orders"] {
  const of = (status: string) => orders.filter((order) => order.snapshot.status === status).length;
  return {
    active: orders.length,
    open: of("open"),
    sent: of("sent"),
    changed: of("changed"),
    checkout: of("checkout"),
  };
}
