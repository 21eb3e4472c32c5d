import type { HealthReport, OperatorTicket, OrderRow, Overview } from "@comanda/protocol";
import type { Identities } from "../back-office/identities.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import type { PosState } from "../back-office/pos-state.ts";
import type { Reachability } from "../back-office/reachability.ts";
import type { Change } from "../changes/change.ts";
import type { HubConfig } from "../settings/config.ts";
import type { Db } from "../db/open.ts";
import type { Memory } from "../db/remembered.ts";
import type { Announcer } from "../discovery/announce.ts";
import { noEvents, type EventStore } from "../forwarding/event-store.ts";
import type { Forwarder } from "../forwarding/forwarder.ts";
import type { SettingsHost } from "../settings/settings-host.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { createLogTail } from "../platform/log-tail.ts";
import type { OrderDeps } from "../orders/order-deps.ts";
import { createOrderFinder } from "../orders/order-search.ts";
import type { PluginStore } from "../plugins/plugin-store.ts";
import type { LossStore } from "../restores/loss-store.ts";
import type { QuestionStore } from "../restores/question-store.ts";
import type { TerminalServer } from "../terminals/terminal-server.ts";
import type { ActiveTerminal } from "../terminals/terminal-session.ts";
import type { TerminalStore } from "../terminals/terminal-store.ts";
import type { BackgroundCheck } from "../maintenance/background-check.ts";
import type { Backups } from "../maintenance/backups.ts";
import type { DailyBackups } from "../maintenance/daily-backups.ts";
import { asLastRead } from "../db/as-last-read.ts";
import type { DataFileWatch } from "../db/data-file-watch.ts";
import type { Maintenance } from "../maintenance/maintenance.ts";
import { isoTime } from "../platform/world.ts";
import { createActiveOrders } from "./active-orders.ts";
import type { AuditLog } from "./audit-log.ts";
import { createBackupAdmin } from "./backup-admin.ts";
import { createDataFileAdmin } from "./data-file.ts";
import { createDrainRate } from "./drain-rate.ts";
import type { PracticeHub } from "./drill.ts";
import { findOrders } from "./find-orders.ts";
import { createFeed, newsOfChange } from "./feed.ts";
import { ticketsOf } from "./kitchen-tickets.ts";
import { createBackOfficeStatus } from "./back-office-status.ts";
import { createLiveFloorPlan } from "./live-floor-plan.ts";
import { createLosses } from "./losses.ts";
import { createOrderHistory } from "./order-history.ts";
import { readOverview } from "./overview.ts";
import { presentOrderRow } from "./present-order-row.ts";
import { createSessionTotals, noTotals } from "./session-totals.ts";
import { createSettingsAdmin } from "./settings-admin.ts";
import { createStream, type PendingUpdates } from "./stream.ts";
import { createTerminalList } from "./terminal-list.ts";
import type { WebhookAdmin } from "./webhook-admin.ts";

export type OperatorRoom = ReturnType<typeof createOperatorRoom>;

/** What the screens are made of. */
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
  announcer: Announcer;
  terminals: TerminalServer;
  terminalStore: TerminalStore;
  health: () => HealthReport;
  audit: AuditLog;
  /** Builds a hub to practise with. */
  practise(config: HubConfig): PracticeHub;
  webhookDesk: WebhookAdmin;
  hubId: string;
  version: string;
  /** Whether a token is a manager's; `unsure` while nobody can be asked. */
  confirm(token: string, peer: string): Promise<"manager" | "dead" | "unsure">;
}

/** Everything that the operator API reads and does, built once. */
export function createOperatorRoom(deps: OperatorDeps) {
  const { audit, config, settingsHost, db, memory, orderDeps, events, pos, reachability, maintenance, terminals } =
    deps;
  const { world, changes, orders, tables, leases, unappliedPayments } = orderDeps;
  const startedAt = isoTime(world.clock.now());
  const logs = world.logTail ?? createLogTail();

  const active = createActiveOrders(world, changes, orders);
  const feed = createFeed(world);
  const finder = createOrderFinder(db);
  const link = createBackOfficeStatus({ world, reachability, own: deps.own }, (state, text) => {
    if (state === "refused") tell({ kind: "back_office_refused", level: "bad", detail: { text } });
  });
  const plan = createLiveFloorPlan({ world, pos, tables, leases, active });
  const terminalList = createTerminalList({
    world,
    store: deps.terminalStore,
    terminals,
    leases,
    graceMs: config.graceMs,
  });
  const totals = createSessionTotals({ world, db, changes, memory, session: pos.session });
  const drainRate = createDrainRate(world);
  const webhookAttempts = deps.webhookDesk.attemptsOf;
  const history = createOrderHistory({ orders, events, leases, unappliedPayments, audit, webhookAttempts });
  const { dbPath, backupDir } = config;
  const backups = createBackupAdmin({
    world,
    db,
    jobs: deps.jobs,
    changes,
    backups: deps.backups,
    failure: deps.dailyBackups.failure,
    audit,
    dbPath,
    backupDir,
    connectedTerminals: terminals.count,
  });
  const dataFile = createDataFileAdmin({ db, maintenance, watch: deps.watch, check: deps.backgroundCheck, dbPath });
  const missing = createLosses({ orderDeps, losses: deps.losses, questions: deps.questions, audit });
  const settings = createSettingsAdmin({ config, settingsHost, changes, audit });
  const hub = { id: deps.hubId, name: config.name, version: deps.version, startedAt };

  // The overview is what tells of a damaged data file, so that damage must not keep it from being read.
  const counted = {
    events: {
      counts: asLastRead(events.counts, noEvents),
      oldestPendingAt: asLastRead(events.oldestPendingAt, null),
    },
    unappliedPayments: { countOpen: asLastRead(unappliedPayments.countOpen, 0) },
    losses: { countOpen: asLastRead(deps.losses.countOpen, 0) },
    totals: { read: asLastRead(totals.read, noTotals) },
    webhooks: asLastRead(deps.webhookDesk.counts, null),
  };
  const overview = (isManager: boolean): Overview =>
    readOverview(
      {
        world,
        hub,
        health: deps.health,
        session: pos.session,
        currency: () => pos.catalogue()?.currency ?? "",
        link,
        terminals: terminalList,
        active,
        plan,
        leases,
        drainRate,
        ...counted,
        maintenance,
        watch: deps.watch,
        lastBackupAt: backups.lastAt,
      },
      isManager,
    );

  /** An order as a line of the list, a discarded one as it was; null when there is none or it cannot be read. */
  function rowOf(posReference: string, openPayments: ReadonlySet<string>): OrderRow | null {
    try {
      const order = orders.shown(posReference);
      const unappliedPayment = openPayments.has(posReference);
      if (order !== null) {
        const forward = order.forward ?? { state: "none" };
        return presentOrderRow(order, { forward, unappliedPayment, lease: leases.holder(posReference) });
      }
      const removal = orders.removal(posReference);
      const last = removal === null ? null : orders.lastContent(posReference);
      if (removal === null || last === null) return null;
      const { version, origin, removedAt } = removal;
      const removedAs = { version, origin, at: isoTime(removedAt) };
      return presentOrderRow(last, { forward: { state: "none" }, removedAs, unappliedPayment, lease: null });
    } catch (error) {
      world.log.error({ err: error, posReference }, "an order cannot be read");
      return null;
    }
  }

  function rowsOf(posReferences: Iterable<string>): OrderRow[] {
    const openPayments = finder.withOpenPayments();
    return [...posReferences].flatMap((posReference) => rowOf(posReference, openPayments) ?? []);
  }

  /** The tickets of an order; when all of one is ready, so is told since when. */
  function ticketsOfOrder(posReference: string): OperatorTicket[] {
    const order = active.get(posReference) ?? orders.shown(posReference);
    if (order === null) return [];
    const bumpedAt = () => orders.versions(posReference).findLast((row) => row.kind === "bumped")?.at;
    return ticketsOf(order, () => {
      const at = bumpedAt();
      return at === undefined ? null : isoTime(at);
    });
  }

  const stream = createStream({
    world,
    hubId: deps.hubId,
    logs,
    settled: changes.settled,
    confirm: deps.confirm,
    readOverview: overview,
    readTable: plan.table,
    readOrders: rowsOf,
    readTickets: ticketsOfOrder,
    readTerminals: (ids) => [...ids].flatMap((id) => terminalList.get(id) ?? []),
  });

  function tell(news: Parameters<typeof feed.add>[0]): void {
    const entry = feed.add(news);
    stream.note((dirt) => void dirt.feed.push(entry));
  }

  function followChanges(group: readonly Change[]): void {
    stream.note((dirt) => {
      for (const change of group) noteChange(dirt, change);
      dirt.overview = true;
    });
    active.follow(group);
    totals.follow(group);
    drainRate.follow(group);
    for (const change of group) for (const news of newsOfChange(change)) tell(news);
  }

  function noteChange(dirt: PendingUpdates, change: Change): void {
    switch (change.kind) {
      case "order.stored": {
        const { posReference, tableId } = change.order;
        // An order that was moved leaves a table behind: that one is looked at, too.
        for (const id of [active.get(posReference)?.tableId, tableId]) noteTable(dirt, id);
        dirt.orders.add(posReference);
        if ((change.order.snapshot.kitchenTickets?.length ?? 0) > 0) dirt.tickets.add(posReference);
        if (change.did === "paid") dirt.topics.add("kitchen");
        if (change.did === null || change.did === "paid" || change.did === "closed") dirt.topics.add("forward");
        return;
      }
      case "order.removed":
        noteTable(dirt, change.last.tableId);
        dirt.orders.delete(change.posReference);
        dirt.removed.set(change.posReference, change.version);
        dirt.topics.add("kitchen");
        return;
      case "table.changed":
        noteTable(dirt, change.table.tableId);
        return;
      case "plugin.stored":
      case "plugin.removed":
        dirt.topics.add("plugins").add("reservations");
        return;
      case "lease.changed":
        dirt.topics.add("leases");
        noteTable(dirt, active.get(change.posReference)?.tableId);
        if (active.get(change.posReference) !== null) dirt.orders.add(change.posReference);
        if (change.holder !== null) dirt.terminals.add(change.holder.terminalId);
        return;
      case "lease.revoked":
        dirt.terminals.add(change.from);
        return;
      case "session.changed":
        dirt.topics.add("back_office");
        return;
      case "notice":
        for (const topic of change.notice.topics) dirt.topics.add(topic);
    }
  }

  function noteLink(): void {
    stream.note((dirt) => {
      dirt.topics.add("back_office");
      dirt.overview = true;
    });
  }

  function noteTable(dirt: PendingUpdates, tableId: number | null | undefined): void {
    if (tableId == null) return;
    if (plan.has(tableId)) dirt.tables.add(tableId);
    else dirt.topics.add("floor_plan");
  }

  return {
    ...deps,
    world,
    changes,
    orders,
    tables,
    leases,
    unappliedPayments,
    startedAt,
    logs,
    active,
    feed,
    finder,
    link,
    plan,
    terminalList,
    totals,
    drainRate,
    history,
    backups,
    dataFile,
    missing,
    settings,
    stream,
    overview,
    rowsOf,
    findOrders: findOrders.bind(null, { finder, jobs: deps.jobs, file: dbPath }),
    ticketsOf: ticketsOfOrder,
    hub,

    /** Hears what each commit changed. */
    follow: followChanges,
    /** Hears of a terminal that came, went, or said something new of itself. */
    onTerminal(news: "joined" | "replaced" | "left" | "reported", terminal: ActiveTerminal): void {
      const { terminalId, identity } = terminal;
      stream.note((dirt) => {
        dirt.terminals.add(terminalId);
        dirt.overview = true;
      });
      if (news === "reported") return;
      const kind = ({ joined: "terminal_joined", replaced: "terminal_replaced", left: "terminal_left" } as const)[news];
      tell({ kind, level: "info", detail: { terminalId, userName: identity.userName } });
    },
    /** Hears whether the back-office answers. */
    onReachable(isUp: boolean): void {
      tell(isUp ? { kind: "back_office_up", level: "info" } : { kind: "back_office_down", level: "warn" });
      noteLink();
      if (isUp) stream.recheck();
    },
    /** Hears that the hub's own session at the back-office has begun, died or been refused. */
    onOwnSession: noteLink,

    start(): void {
      tell({ kind: "hub_started", level: "info" });
      totals.start();
      stream.start();
    },
    stop: stream.stop,
  };
}
