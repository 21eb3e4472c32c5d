import type { HealthReport, Overview, PosSession } from "@comanda/protocol";
import type { StoredOrder } from "@comanda/protocol";
import type { EventStore } from "../forwarding/event-store.ts";
import type { LeaseBook } from "../leases/lease-book.ts";
import { sum } from "../platform/money.ts";
import type { UnappliedPaymentStore } from "../orders/unapplied-payment-store.ts";
import type { LossStore } from "../restores/loss-store.ts";
import type { DataFileWatch } from "../db/data-file-watch.ts";
import type { Maintenance } from "../maintenance/maintenance.ts";
import { isoTime, type World } from "../platform/world.ts";
import type { ActiveOrders } from "./active-orders.ts";
import type { DrainRate } from "./drain-rate.ts";
import { ticketsOf } from "./kitchen-tickets.ts";
import type { BackOfficeStatusView } from "./back-office-status.ts";
import type { LiveFloorPlanState } from "./live-floor-plan.ts";
import type { SessionTotals } from "./session-totals.ts";
import { hasUnsentWork, type TerminalBook } from "./terminal-list.ts";

export interface OverviewDeps {
  world: World;
  hub: Overview["hub"];
  health: () => HealthReport;
  session: () => PosSession | null;
  currency: () => string;
  link: BackOfficeStatusView;
  terminals: TerminalBook;
  active: ActiveOrders;
  plan: LiveFloorPlanState;
  leases: LeaseBook;
  events: Pick<EventStore, "counts" | "oldestPendingAt">;
  drainRate: DrainRate;
  unappliedPayments: Pick<UnappliedPaymentStore, "countOpen">;
  losses: Pick<LossStore, "countOpen">;
  totals: Pick<SessionTotals, "read">;
  webhooks: () => Overview["webhooks"];
  maintenance: Maintenance;
  watch: DataFileWatch;
  lastBackupAt: () => number | null;
}

/** How things are. Everything is counted from memory or an index, so that it may be asked for often. */
export function readOverview(deps: OverviewDeps, isManager: boolean): Overview {
  const { world, health, link, terminals, active, plan, leases, events, unappliedPayments, maintenance, watch } = deps;
  const { status, reasons } = health();
  const known = terminals.list();
  const unsent = known.filter(hasUnsentWork);
  const orders = active.list();
  const { pending, attention, forwarded } = events.counts();
  const waiting = events.oldestPendingAt();
  const lastBackupAt = deps.lastBackupAt();
  const overview: Overview = {
    at: isoTime(world.clock.now()),
    hub: deps.hub,
    status,
    reasons,
    sessionOpen: deps.session()?.active ?? false,
    backOffice: link.read(),
    terminals: {
      connected: known.filter((each) => each.state === "connected").length,
      away: known.filter((each) => each.state !== "connected").length,
      unsent: {
        pending: unsent.reduce((count, each) => count + (each.outbox?.pending ?? 0), 0),
        oldestAt: unsent.flatMap((each) => each.outbox?.oldestAt ?? []).sort()[0] ?? null,
        terminals: unsent.length,
      },
    },
    orders: countOrders(orders),
    tables: plan.counts(),
    leases: leases.count(),
    kitchen: countKitchen(orders),
    forward: {
      pending: pending - attention,
      oldestAt: waiting === null ? null : isoTime(waiting),
      estimateMs: deps.drainRate.estimateMs(pending - attention),
      attention,
      total: forwarded,
    },
    unappliedPayments: unappliedPayments.countOpen(),
    losses: deps.losses.countOpen(),
    webhooks: deps.webhooks(),
    disk: { low: maintenance.isDiskLow(), freeBytes: maintenance.freeBytes() },
    dataFile: { ok: !watch.hasProblem(), doubts: watch.problems().map(({ kind }) => kind) },
    lastBackupAt: lastBackupAt === null ? null : isoTime(lastBackupAt),
  };
  return isManager ? { ...overview, detail: readDetail(deps, orders) } : overview;
}

function readDetail(deps: OverviewDeps, orders: readonly StoredOrder[]): NonNullable<Overview["detail"]> {
  const { paidAmount, notYetInAccounting } = deps.totals.read();
  return {
    sessionName: deps.session()?.name ?? null,
    currency: deps.currency(),
    openTotal: sum(orders.map((order) => order.snapshot.totals.total)),
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

interface KitchenFacts {
  open: number;
  unseen: number;
  late: number;
  oldestAt: string | null;
}

/** An order object never changes: what its tickets amount to is worked out once. */
const factsByOrder = new WeakMap<StoredOrder, KitchenFacts>();

function countKitchen(orders: readonly StoredOrder[]): Overview["kitchen"] {
  const facts = orders.map(kitchenFacts);
  const count = (field: "open" | "unseen" | "late") => facts.reduce((total, each) => total + each[field], 0);
  return {
    open: count("open"),
    unseen: count("unseen"),
    late: count("late"),
    oldestAt: facts.flatMap((each) => each.oldestAt ?? []).sort()[0] ?? null,
  };
}

function kitchenFacts(order: StoredOrder): KitchenFacts {
  const known = factsByOrder.get(order);
  if (known !== undefined) return known;
  const open = ticketsOf(order).filter((ticket) => ticket.state !== "ready");
  const facts = {
    open: open.length,
    unseen: open.filter((ticket) => ticket.state === "unseen").length,
    late: open.filter((ticket) => ticket.late).length,
    oldestAt: open.map((ticket) => ticket.sentAt).sort()[0] ?? null,
  };
  factsByOrder.set(order, facts);
  return facts;
}
