import type { ClosingReport } from "@comanda/protocol";
import { isoTime } from "../platform/world.ts";
import type { OperatorRoom } from "./operator-room.ts";
import { presentForwardEvent } from "./present-forward-event.ts";
import { presentPayment } from "./present-payment.ts";

type Room = Pick<
  OperatorRoom,
  "world" | "active" | "terminalList" | "events" | "orders" | "unappliedPayments" | "losses" | "totals"
>;

/** May the shift be closed? Everything that stands against it, by kind. */
export function readClosingReport(room: Room): ClosingReport {
  const { world, active, terminalList, events, orders, unappliedPayments, losses } = room;
  const openChecks = active.list().map(({ posReference, tableId, snapshot }) => ({
    posReference,
    tableId,
    status: snapshot.status,
    total: snapshot.totals.total,
    createdAt: snapshot.createdAt,
  }));
  const unsentTerminals = terminalList.unsent().map(({ terminalId, user, lastSeenAt, outbox }) => ({
    terminalId,
    userName: user?.name ?? null,
    lastSeenAt,
    pending: outbox?.pending ?? 0,
    oldestAt: outbox?.oldestAt ?? null,
  }));
  const { pending, attention } = events.counts();
  const oldestAt = events.oldestPendingAt();
  const payments = unappliedPayments.listOpen().map((payment) => presentPayment(payment, orders));
  const lost = losses.countOpen();
  return {
    ready: openChecks.length + unsentTerminals.length + pending + payments.length + lost === 0,
    checkedAt: isoTime(world.clock.now()),
    openChecks,
    unsentTerminals,
    unforwarded: { pending: pending - attention, oldestAt: oldestAt === null ? null : isoTime(oldestAt) },
    attention: events.inState("attention").map((row) => presentForwardEvent(row, { events, orders })),
    unappliedPayments: payments,
    losses: lost,
    totals: room.totals.read(),
  };
}
