import type { ClosingReport, PosSession } from "@comanda/protocol";
import { paidSoFar, placeOf, sum } from "@comanda/rules";
import type { EventStore } from "../../forwarding/event-store.ts";
import { isoTime, type World } from "../../platform/world.ts";
import type { LossStore } from "../../restores/loss-store.ts";
import { presentForwardEvent } from "./present-forward-event.ts";
import { presentPayment } from "./present-payment.ts";
import type { NotInAccounting } from "./not-in-accounting.ts";
import type { SessionTotals } from "./session-totals.ts";
import type { TerminalBook } from "../terminals/terminal-list.ts";
import type { OrderStore } from "../../orders/store/order-store.ts";
import type { UnappliedPaymentStore } from "../../orders/payments/unapplied-payment-store.ts";
import type { KeptChangeStore } from "../../orders/kept-changes/kept-change-store.ts";

interface ClosingReportDeps {
  world: World;
  orders: OrderStore;
  unappliedPayments: UnappliedPaymentStore;
  keptChanges: KeptChangeStore;
  /** The POS session as the back-office last reported it; null when it never did. */
  session(): PosSession | null;
  terminalList: TerminalBook;
  events: EventStore;
  losses: LossStore;
  totals: SessionTotals;
  notInAccounting: NotInAccounting;
  hub: { timeZone: string };
}

/** Whether the shift can be closed, and everything that stands in the way, by kind. */
export function readClosingReport(deps: ClosingReportDeps): ClosingReport {
  const { world, terminalList, events, orders, unappliedPayments, losses } = deps;
  const openChecks = orders.active().map(({ posReference, snapshot }) => ({
    posReference,
    place: placeOf(snapshot),
    status: snapshot.status,
    total: snapshot.totals.total,
    paid: paidSoFar(snapshot),
    createdAt: snapshot.createdAt,
  }));
  const unsentTerminals = terminalList.unsent().map(({ terminalId, user, lastSeenAt, outbox }) => ({
    terminalId,
    userName: user?.name ?? null,
    lastSeenAt,
    pending: outbox?.pending ?? 0,
    oldestAt: outbox?.oldestAt ?? null,
    payments: outbox?.payments ?? null,
    amount: outbox?.amount ?? null,
  }));
  const { pending, attention } = events.counts();
  const oldestAt = events.oldestPendingAt();
  const held = events.inState("attention").map((row) => presentForwardEvent(row, { events, orders }));
  const payments = unappliedPayments.listOpen().map((payment) => presentPayment(payment, orders));
  const lost = losses.countOpen();
  const keptChanges = deps.keptChanges.countOpen();
  const notInAccounting = deps.notInAccounting();
  const session = deps.session();
  return {
    ready: openChecks.length + unsentTerminals.length + pending + payments.length + keptChanges + lost === 0,
    checkedAt: isoTime(world.clock.now()),
    openChecks,
    unsentTerminals,
    unforwarded: { pending: pending - attention, oldestAt: oldestAt === null ? null : isoTime(oldestAt) },
    attention: held.filter(({ setAsideUntil }) => setAsideUntil === null),
    setAside: held.filter(({ setAsideUntil }) => setAsideUntil !== null),
    notInAccounting,
    unappliedPayments: payments,
    keptChanges,
    losses: lost,
    totals: { ...deps.totals.read(), notYetInAccounting: sum(notInAccounting.map(({ amount }) => amount)) },
    session: session?.active !== true ? null : { name: session.name ?? null, since: isoTime(deps.totals.since()) },
    timeZone: deps.hub.timeZone,
  };
}
