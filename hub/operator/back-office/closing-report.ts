import { type ClosingReport, HUB_ORIGIN, type PosSession } from "@comanda/protocol";
import { paidSoFar, placeOf, sum } from "@comanda/rules";
import { isoTime, isoTimeOrNull, type World } from "../../platform/world.ts";
import type { Stores } from "../../stores/create-stores.ts";
import { presentForwardEvent } from "./present-forward-event.ts";
import { presentPayment } from "./present-payment.ts";
import type { NotInAccounting } from "./not-in-accounting.ts";
import type { SessionTotals } from "./session-totals.ts";
import type { TerminalBook } from "../terminals/terminal-list.ts";
import { shownState } from "../../printing/present-job.ts";
import type { ShiftRow } from "../../till/shift-rows.ts";

interface ClosingReportDeps extends Pick<
  Stores,
  | "orders"
  | "unappliedPayments"
  | "keptChanges"
  | "tills"
  | "printJobs"
  | "printers"
  | "fiscalRequests"
  | "events"
  | "losses"
> {
  world: World;
  /** The POS session as the back-office last reported it; null if it never did. */
  session(): PosSession | null;
  terminalList: TerminalBook;
  totals: SessionTotals;
  notInAccounting: NotInAccounting;
  hub: { timeZone: string };
}

/** The most prints needing attention that are listed. */
const PRINTS_NAMED = 200;

/** Returns whether the shift can be closed, and everything that prevents it, by kind. */
export function readClosingReport(deps: ClosingReportDeps): ClosingReport {
  const { world, terminalList, events, orders, unappliedPayments, losses } = deps;
  const openChecks = orders.listActive().map(({ posReference, snapshot }) => ({
    posReference,
    place: placeOf(snapshot),
    status: snapshot.status,
    total: snapshot.totals.total,
    paid: paidSoFar(snapshot),
    createdAt: snapshot.createdAt,
    solvedBy: { role: "cashier" as const, userName: snapshot.staffName ?? null },
  }));
  const unsentTerminals = terminalList.unsent().map(({ terminalId, user, lastSeenAt, outbox }) => ({
    terminalId,
    userName: user?.name ?? null,
    lastSeenAt,
    pending: outbox?.pending ?? 0,
    oldestAt: outbox?.oldestAt ?? null,
    payments: outbox?.payments ?? null,
    amount: outbox?.amount ?? null,
    solvedBy: { role: "waiter" as const, userName: user?.name ?? null },
  }));
  const { pending, attention } = events.counts();
  const unsettled = events.listByState("attention").map((row) => presentForwardEvent(row, { events, orders }));
  const payments = unappliedPayments.listOpen().map((payment) => presentPayment(payment, orders));
  const lost = losses.countOpen();
  const keptChanges = deps.keptChanges.countOpen();
  const notInAccounting = deps.notInAccounting();
  const openShifts = deps.tills
    .listUnclosedShifts()
    .map(({ id, openedAt, ...shift }) => openShiftOf(id, openedAt, shift));
  const pendingFiscal = deps.fiscalRequests
    .listUnsettled()
    .map(({ posReference, type, errorCode, changedAt, state }) => {
      const order = orders.get(posReference);
      return {
        posReference,
        place: order === null ? null : placeOf(order.snapshot),
        type,
        errorCode,
        since: isoTime(changedAt),
        // The hub itself retries pending requests; the others need a manager.
        solvedBy: {
          role: "manager" as const,
          userName: state === "pending" || state === "signing" ? HUB_ORIGIN : null,
        },
      };
    });
  const session = deps.session();
  return {
    ready:
      openChecks.length + unsentTerminals.length + pending + payments.length + keptChanges + lost === 0 &&
      openShifts.length + pendingFiscal.length === 0,
    checkedAt: isoTime(world.clock.now()),
    openChecks,
    unsentTerminals,
    unforwarded: { pending: pending - attention, oldestAt: isoTimeOrNull(events.oldestPendingAt()) },
    attention: unsettled.filter(({ setAsideUntil }) => setAsideUntil === null),
    setAside: unsettled.filter(({ setAsideUntil }) => setAsideUntil !== null),
    notInAccounting,
    unappliedPayments: payments,
    keptChanges,
    openShifts,
    waitingPrints: waitingPrintsOf(deps),
    pendingFiscal,
    losses: lost,
    totals: { ...deps.totals.read(), notYetInAccounting: sum(notInAccounting.map(({ amount }) => amount)) },
    session: session?.active !== true ? null : { name: session.name ?? null, since: isoTime(deps.totals.since()) },
    timeZone: deps.hub.timeZone,
  };
}

/** An open shift waits for its cashier, a counted one for a manager. */
function openShiftOf(
  shiftId: string,
  openedAt: number,
  { tillId, tillName, state, openedBy }: Omit<ShiftRow, "id" | "openedAt">,
): ClosingReport["openShifts"][number] {
  const isCounted = state === "counted";
  return {
    shiftId,
    tillId,
    tillName,
    state: isCounted ? "counted" : "open",
    openedAt: isoTime(openedAt),
    openedBy,
    solvedBy: isCounted ? { role: "manager", userName: null } : { role: "cashier", userName: openedBy },
  };
}

/** Returns prints that wait for a printer, and those that need a person's attention. */
function waitingPrintsOf({ printJobs, printers }: ClosingReportDeps): ClosingReport["waitingPrints"] {
  const jobs = new Map(
    [...printJobs.listUnfinished(), ...printJobs.page({ isOpen: true }, null, PRINTS_NAMED)].map((job) => [
      job.jobId,
      job,
    ]),
  );
  return [...jobs.values()].map(({ jobId, document, state, sentTo, posReference, createdAt }) => ({
    jobId,
    document,
    state: shownState(state),
    printer: printers.get(sentTo)?.name ?? sentTo,
    posReference,
    since: isoTime(createdAt),
    solvedBy: { role: "waiter", userName: null },
  }));
}
