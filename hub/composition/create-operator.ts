import type { Pairing } from "@comanda/protocol";
import type { Change } from "../changes/change.ts";
import type { ChainService } from "../chain/chain-service.ts";
import type { HubAccess } from "./create-access.ts";
import type { Core } from "./create-core.ts";
import type { OperatorHandlers } from "../http/handlers.ts";
import { operatorKeyRoutes } from "../http/routes/key-administration.ts";
import { operatorChainRoutes } from "../http/routes/operator/chain.ts";
import { operatorBackOfficeRoutes } from "../http/routes/operator/back-office.ts";
import { operatorFiscalRoutes } from "../http/routes/operator/fiscal.ts";
import { operatorItemStateRoutes } from "../http/routes/operator/item-states.ts";
import { operatorKeptChangeRoutes } from "../http/routes/operator/kept-changes.ts";
import { operatorLossRoutes } from "../http/routes/operator/losses.ts";
import { operatorOrderRoutes } from "../http/routes/operator/orders.ts";
import { operatorPaymentRoutes } from "../http/routes/operator/payments.ts";
import { operatorPeopleRoutes } from "../http/routes/operator/people.ts";
import { operatorPluginRoutes } from "../http/routes/operator/plugins.ts";
import { operatorPrintingRoutes } from "../http/routes/operator/printing.ts";
import { operatorSalesRoutes } from "../http/routes/operator/sales.ts";
import { operatorServiceRoutes } from "../http/routes/operator/service.ts";
import { operatorSignInRoutes } from "../http/routes/operator/sign-in.ts";
import { operatorSystemRoutes } from "../http/routes/operator/system.ts";
import { operatorTerminalRoutes } from "../http/routes/operator/terminals.ts";
import { operatorTillRoutes } from "../http/routes/operator/tills.ts";
import { operatorWebhookRoutes } from "../http/routes/operator/webhooks.ts";
import { createDataFileAdmin } from "../operator/system/data-file.ts";
import type { DrillHub } from "../operator/system/drill.ts";
import { createLossAdmin } from "../operator/system/losses.ts";
import { readClosingReport } from "../operator/back-office/closing-report.ts";
import { createOrderHistory } from "../operator/orders/order-history.ts";
import { createSettingsAdmin, type LiveSettings, type SettingsAdmin } from "../operator/system/settings-admin.ts";
import { createSharedAnswers, type SharedAnswers } from "../operator/stream/shared-answers.ts";
import { createStreamUpdates } from "../operator/stream/stream-updates.ts";
import { createShiftAdmin } from "../operator/tills/shift-admin.ts";
import { createTillAdmin } from "../operator/tills/till-admin.ts";
import { createStream, type OperatorStream } from "../operator/stream/stream.ts";
import { createPrinterAdmin } from "../printing/printer-admin.ts";
import { routedStations } from "../printing/printers.ts";
import type { PracticeService } from "../practice/practice-service.ts";
import { takingsSince } from "../retention/forget-old.ts";
import { createLogTail, type LogTail } from "../platform/log-tail.ts";
import type { HubConfig } from "../settings/config.ts";
import type { SettingsHost } from "../settings/settings-host.ts";
import { viewsForHeadquarters } from "./views-for-headquarters.ts";
import { createOperatorViews, type OperatorViews, type OperatorViewsDeps } from "./create-operator-views.ts";

interface OperatorDeps extends OperatorViewsDeps, Pick<Core, "orderCommands"> {
  settingsHost: SettingsHost;
  access: HubAccess;
  /** Includes the code that tests the network if the caller is trusted. */
  pairing(isTrusted: boolean): Pairing;
  practice: PracticeService;
  chain: ChainService;
  /** Applies changed settings at once. */
  live: LiveSettings;
  /** Builds a hub for the drill. */
  practise(config: HubConfig): DrillHub;
}

export type Operator = ReturnType<typeof createOperator>;

/** Builds what the screens read and do: the handlers of the operator API and the live stream. */
export function createOperator(deps: OperatorDeps) {
  const { world, config, backOffice } = deps;
  const { access, pinSessions } = deps.access;
  const logs = world.logTail ?? createLogTail();
  const views = createOperatorViews(deps, (reason) => {
    updates.addToFeed({ kind: "back_office_refused", level: "bad", detail: { said: reason } });
  });
  const sharedAnswers = createSharedAnswers(world);
  const stream = createStream({
    world,
    hubId: deps.hubId,
    settled: deps.stores.changes.settled,
    recheck: access.recheck,
    answers: sharedAnswers,
  });
  deps.stores.changes.addUndoListener(sharedAnswers.forget);
  const unfollowLogs = logs.follow(() => stream.note(["logs"]));
  pinSessions.onEnded(stream.recheck);
  backOffice.identities.onSignOut(stream.recheck);
  const updates = createStreamUpdates({ world, graceMs: config.graceMs, stream, feed: views.feed });

  const settings = createSettingsAdmin({ ...deps, changes: deps.stores.changes, audit: deps.stores.audit });
  const system = systemHandlers(deps, views, logs, settings);

  return {
    handlers: {
      ...serviceHandlers(deps, views, stream, sharedAnswers),
      ...orderHandlers(deps, views),
      ...moneyHandlers(deps, views),
      ...system,
      ...printingHandlers(deps),
    } satisfies OperatorHandlers,

    forHeadquarters: viewsForHeadquarters({ views, system, logs, settings }),

    /** Called after each commit. */
    follow(group: readonly Change[]): void {
      views.totals.follow(group);
      views.drainRate.follow(group);
      updates.follow(group);
    },
    onTerminal: updates.onTerminal,
    onReachable(isUp: boolean): void {
      updates.onReachable(isUp, views.backOfficeStatus.read().everReached);
      if (isUp) stream.recheck();
    },
    onOwnSession(): void {
      // Reading the status records the time of a change, which must not depend on an open screen.
      views.backOfficeStatus.read();
      updates.noteBackOffice();
    },

    start(): void {
      updates.addToFeed({ kind: "hub_started", level: "info" });
      views.totals.start();
      stream.start();
    },
    stop(): void {
      unfollowLogs();
      updates.stop();
      stream.stop();
    },
  };
}

/** Builds the handlers for sessions and for the Service, Kitchen and Terminals screens. */
function serviceHandlers(
  deps: OperatorDeps,
  views: OperatorViews,
  stream: OperatorStream,
  sharedAnswers: SharedAnswers,
) {
  const { world, config, stores, backOffice, pairing, practice, terminals } = deps;
  const { pinSessions, passwordSignIn } = deps.access;
  const { changes, audit, people, tables, itemStates, leases, terminalStore, plugins } = stores;
  const { overview, feed, liveFloorPlan, kitchenTickets, terminalList, placeOfOrder } = views;
  const { identities, pos } = backOffice;
  return {
    ...operatorSignInRoutes({ world, identities, passwordSignIn, pinSessions, people, stream }),
    ...operatorServiceRoutes({
      world,
      tables,
      pos,
      overview,
      feed,
      liveFloorPlan,
      stream,
      sharedAnswers,
      kitchenTickets,
      pairing,
    }),
    ...operatorItemStateRoutes({ changes, itemStates, audit }),
    ...operatorTerminalRoutes({
      changes,
      leases,
      placeOfOrder,
      audit,
      terminals,
      forgetTerminal(terminalId: string): boolean {
        people.forgetDevice(terminalId);
        return terminalStore.forget(terminalId);
      },
      terminalList,
      terminalStore,
      practice,
    }),
    ...operatorPeopleRoutes({ changes, audit, people }),
    ...operatorPluginRoutes({ world, changes, config, audit, liveFloorPlan, plugins }),
  };
}

/** Builds the handlers for orders and managers' decisions about them. */
function orderHandlers(deps: OperatorDeps, views: OperatorViews) {
  const { world, config, stores, orderCommands, background } = deps;
  const { changes, orders, tickets, leases, unappliedPayments, versionPeople, events, audit, keptChanges } = stores;
  const { losses, questions } = stores;
  const { hub, liveFloorPlan, orderRows, orderSearch, terminalList, webhookAdmin } = views;
  const { applyKeptChange, revertOrder } = orderCommands;
  const history = createOrderHistory({
    orders,
    tickets,
    leases,
    unappliedPayments,
    versionPeople,
    events,
    audit,
    webhookAttempts: webhookAdmin.attemptsOf,
    refunds: stores.refunds,
    posConfig: deps.pos.config,
  });
  const { takeOverLoss: takeOver, jobs } = background;
  return {
    ...operatorOrderRoutes({
      world,
      changes,
      dbPath: config.dbPath,
      audit,
      history,
      liveFloorPlan,
      orderRows,
      orderSearch,
      jobs,
      hub,
      revertOrder,
    }),
    ...operatorKeptChangeRoutes({ changes, audit, orders, keptChanges, terminalList, applyKeptChange }),
    ...operatorLossRoutes(createLossAdmin({ world, changes, orders, losses, questions, audit, takeOver })),
  };
}

/** Builds the handlers for payments, fiscal numbers and forwarding to accounting. */
function moneyHandlers(deps: OperatorDeps, views: OperatorViews) {
  const { world, config, stores, pos, backOffice, orderCommands, background } = deps;
  const { changes, orders, unappliedPayments, keptChanges, events, losses, audit, fiscalRequests } = stores;
  const { hub, terminalList, placeOfOrder, totals, notInAccounting, backOfficeStatus, drainRate } = views;
  const { forwarder, jobs, ncfSequences, fiscalNumbers, electronicReceipts, refundService } = background;
  const closing = {
    world,
    orders,
    unappliedPayments,
    keptChanges,
    tills: stores.tills,
    printJobs: stores.printJobs,
    printers: stores.printers,
    fiscalRequests,
    session: pos.session,
    terminalList,
    events,
    losses,
    totals,
    notInAccounting,
    hub,
  };
  return {
    ...operatorBackOfficeRoutes({
      changes,
      orders,
      config,
      audit,
      events,
      forwarder,
      jobs,
      backOfficeStatus,
      drainRate,
      own: backOffice.own,
      pos: backOffice.pos,
    }),
    ...operatorPaymentRoutes({
      changes,
      audit,
      orders,
      unappliedPayments,
      applyPayment: orderCommands.applyPayment,
      readClosingReport: () => readClosingReport(closing),
    }),
    ...operatorSalesRoutes({
      world,
      jobs,
      file: config.dbPath,
      timeZone: config.timeZone,
      pos,
      totals,
      keptSince: () => takingsSince(stores.memory),
    }),
    ...operatorFiscalRoutes({
      ncfSequences,
      fiscalNumbers,
      electronicReceipts,
      fiscalRequests,
      refundService,
      placeOfOrder,
      orders,
      isContingency: deps.pos.isContingency,
    }),
    ...operatorTillRoutes({
      world,
      tills: createTillAdmin({ world, changes, tills: stores.tills, printers: stores.printers, audit }),
      shifts: createShiftAdmin({
        changes,
        clock: world.clock,
        tills: stores.tills,
        reports: orderCommands.shiftReports,
        audit,
        timeZone: config.timeZone,
        session: totals.session,
        methodIds: () => pos.config()?.paymentMethods.map(({ id }) => id) ?? [],
      }),
      jobs,
      file: config.dbPath,
      timeZone: config.timeZone,
      pos,
      shares: config.tipShares,
    }),
  };
}

function printingHandlers({ world, config, stores, background, pos }: OperatorDeps) {
  const { changes, audit, printers, printJobs, spool } = stores;
  return operatorPrintingRoutes({
    world,
    changes,
    audit,
    printers,
    printerAdmin: createPrinterAdmin({ world, printers, spool, stationIds: () => routedStations(pos.stations()) }),
    jobs: printJobs,
    spool,
    printService: background.printService,
    timeZone: config.timeZone,
  });
}

/** Builds the handlers for integrations and the System screen. */
function systemHandlers(
  deps: OperatorDeps,
  { hub, overview, backupAdmin, webhookAdmin }: OperatorViews,
  logs: LogTail,
  settings: SettingsAdmin,
) {
  const { world, config, settingsHost, db, stores, background, practise } = deps;
  const { changes, keys, audit, watch } = stores;
  const { maintenance, backgroundCheck: check } = background.storage;
  return {
    ...operatorChainRoutes(deps.chain),
    ...operatorKeyRoutes({ world, changes, keys, audit }),
    ...operatorWebhookRoutes(webhookAdmin, background.webhooks.service),
    ...operatorSystemRoutes({
      world,
      changes,
      config,
      audit,
      backups: backupAdmin,
      dataFile: createDataFileAdmin({ db, maintenance, watch, check, dbPath: config.dbPath }),
      jobs: background.jobs,
      logs,
      overview,
      settings,
      settingsHost,
      hub,
      practise,
    }),
  };
}
