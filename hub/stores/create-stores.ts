import { logEvent } from "../platform/log-event.ts";
import { createAuditLog } from "../audit/audit-log.ts";
import { createProposalStore } from "../chain/proposals/proposal-store.ts";
import { createChangeLog } from "../changes/change-log.ts";
import { notifyScreens } from "../changes/notify-screens.ts";
import { createDataFileWatch } from "../db/integrity/data-file-watch.ts";
import type { DataFile } from "../db/open.ts";
import { asLastRead } from "../db/rows/as-last-read.ts";
import { createMemory } from "../db/remembered.ts";
import { createFiscalRequests } from "../fiscal/fiscal-requests.ts";
import { createRefundStore } from "../fiscal/refund-store.ts";
import { createEventStore, noEvents } from "../forwarding/event-store.ts";
import { createKeyStore } from "../keys/key-store.ts";
import { createItemStates } from "../kitchen/item-states.ts";
import { createTicketStore } from "../kitchen/ticket-store.ts";
import { createLeaseBook } from "../leases/lease-book.ts";
import { createLeaseStore } from "../leases/lease-store.ts";
import { createCreditStore } from "../orders/payments/credit-store.ts";
import { createKeptChangeStore } from "../orders/kept-changes/kept-change-store.ts";
import { createMutationStore } from "../orders/store/mutation-store.ts";
import { createNcfStore } from "../orders/payments/ncf-store.ts";
import { createNumbering } from "../orders/store/numbering.ts";
import { createOrderStore } from "../orders/store/order-store.ts";
import { createPaymentIdentities } from "../orders/payments/payment-identities.ts";
import { createRecentTakings } from "../orders/payments/recent-takings.ts";
import { createUnappliedPaymentStore } from "../orders/payments/unapplied-payment-store.ts";
import { isoTime, type World } from "../platform/world.ts";
import { createCustomerStore } from "../people/customer-store.ts";
import { createHourlyCounts } from "../people/hourly-counts.ts";
import { createPeople } from "../people/people.ts";
import { createVersionPeopleStore } from "../people/version-people.ts";
import { createJobStore } from "../printing/job-store.ts";
import { createPrinters } from "../printing/printers.ts";
import { createSpool } from "../printing/spool.ts";
import { createPluginStore } from "../plugins/plugin-store.ts";
import { createLossStore } from "../restores/loss-store.ts";
import { createQuestionStore } from "../restores/question-store.ts";
import type { HubConfig } from "../settings/config.ts";
import { createTableStore } from "../tables/table-store.ts";
import { createTerminalStore } from "../terminals/terminal-store.ts";
import { createTillBook } from "../till/till-book.ts";
import { createMoneyStore } from "../till/money-store.ts";
import { createShiftEvents } from "../till/shift-events.ts";
import { createTillStore } from "../till/till-store.ts";
import { createHubClock, type HubClock } from "../time/hub-clock.ts";
import { createTrustedTime } from "../time/trusted-time.ts";
import { createDeliveryStore } from "../webhooks/deliveries/delivery-store.ts";
import { createGatheredStore } from "../webhooks/deliveries/gathered-store.ts";
import { createSubscriptionStore } from "../webhooks/subscriptions/subscription-store.ts";

export type Stores = ReturnType<typeof createStores>;

/** Builds the single write path over the data file, the stores, and the rules with their own state. */
export function createStores(
  config: HubConfig,
  worldOf: (component: string) => World,
  dataFile: DataFile,
  {
    arePinsOpen = false,
    hubClock = createHubClock(worldOf("time").clock),
  }: { arePinsOpen?: boolean; hubClock?: HubClock } = {},
) {
  const { db, cipher } = dataFile;
  const watch = createDataFileWatch(config.dbPath, worldOf("db"));
  watch.follow(db);
  for (const { kind, detail } of dataFile.problems) watch.report(kind, detail);
  for (const description of dataFile.forgotten) watch.reportForgotten(description);

  const changes = createChangeLog(db, worldOf("changes"));
  changes.addListener(dataFile.notePlace);
  const memory = createMemory(db);
  const timeWorld = { ...worldOf("time"), clock: hubClock.machine };
  const time = createTrustedTime({ world: timeWorld, memory, changes, onDisagreement });
  hubClock.follow(time);
  const orders = createOrderStore(db, watch.reportDamagedRow);
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

  const events = createEventStore(db);
  const tills = createTillStore(db);
  const tillMoney = createMoneyStore(db);
  const tillBook = createTillBook({ money: tillMoney, tills });
  const unappliedPayments = createUnappliedPaymentStore(db, watch.reportDamagedRow, tillBook);
  const keptChanges = createKeptChangeStore(db, watch.reportDamagedRow);
  const losses = createLossStore(db);
  const fiscalRequests = createFiscalRequests(db);
  const audit = createAuditLog(db);
  const hourlyCounts = createHourlyCounts(db, time.latest);

  function onDisagreement(wall: number, backOffice: number): void {
    const world = worldOf("time");
    const facts = { clock: isoTime(wall), backOffice: isoTime(backOffice) };
    world.log.warn(
      logEvent("clock_differs", facts),
      "this computer's clock differs from the back-office's; set it right",
    );
    notifyScreens(changes, world, { topics: [], feed: { kind: "clock_differs", level: "warn" } });
  }
  const printers = createPrinters(db);
  const printJobs = createJobStore(db);
  watch.onProblem(() => {
    const feed = { kind: "data_file_doubt", level: "bad" } as const;
    notifyScreens(changes, worldOf("db"), { topics: ["data_file"], feed });
  });

  return {
    watch,
    changes,
    memory,
    time,
    orders,
    leases,
    audit,
    tickets: createTicketStore(db, watch.reportDamagedRow),
    itemStates: createItemStates({ world: worldOf("kitchen"), changes, db }),
    people: createPeople({ world: worldOf("people"), db, changes, time, audit, hourlyCounts, arePinsOpen }),
    versionPeople: createVersionPeopleStore(db),
    customers: createCustomerStore(db),
    recentTakings: createRecentTakings(db),
    numbering: createNumbering(db, config.timeZone),
    mutations: createMutationStore(db, watch.reportDamagedRow),
    unappliedPayments,
    tills,
    tillMoney,
    tillBook,
    shiftEvents: createShiftEvents(db),
    keptChanges,
    paymentIdentities: createPaymentIdentities(db),
    tables: createTableStore(db),
    plugins: createPluginStore(db, time.now, watch.reportDamagedRow),
    events,
    losses,
    ncfs: createNcfStore(db),
    credits: createCreditStore(db),
    fiscalRequests,
    refunds: createRefundStore(db),
    /** Counts for reports, which must stay readable despite damage. */
    counts: {
      events: asLastRead(events.counts, noEvents),
      openPayments: asLastRead(unappliedPayments.countOpen, 0),
      openChanges: asLastRead(keptChanges.countOpen, 0),
      openLosses: asLastRead(losses.countOpen, 0),
      failedNumbers: asLastRead(fiscalRequests.countFailed, 0),
      openReceipts: asLastRead(fiscalRequests.countOpenReceipts, 0),
    },
    keys: createKeyStore(worldOf("keys"), db),
    subscriptions: createSubscriptionStore({ world: worldOf("webhooks"), db, cipher, changes }),
    deliveries: createDeliveryStore(db),
    gathered: createGatheredStore(db),
    questions: createQuestionStore(db),
    printers,
    printJobs,
    spool: createSpool({ world: worldOf("printing"), jobs: printJobs, printers }),
    proposals: createProposalStore(db),
    terminalStore: createTerminalStore(db),
  };
}
