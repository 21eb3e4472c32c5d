import { logEvent } from "../platform/log-event.ts";
import { said, type Said, isActive, type LookupOrder, type StoredOrder } from "@comanda/protocol";
import { toCents } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { closeOrder } from "../orders/store/save-version.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { isoTime, type World } from "../platform/world.ts";
import type { LossRow, LossStore } from "./loss-store.ts";
import type { QuestionReason, QuestionStore } from "./question-store.ts";
import type { SaveKnown } from "./take-over-loss.ts";

export type BackOfficeAnswers = ReturnType<typeof createBackOfficeAnswers>;

/**
 * Follows what the back-office says of orders after a restore. Those that it has as paid are closed here; one that was paid
 * here too is not mistaken for a repeated delivery.
 */
export function createBackOfficeAnswers(deps: {
  world: World;
  orders: OrderStore;
  losses: LossStore;
  questions: QuestionStore;
  saveKnown: SaveKnown;
  /** The forward event of an order that is not done, or null. */
  waitingEvent: (posReference: string) => number | null;
  /** The back-office already has what this event would send. */
  confirmEvent: (tx: Tx, eventId: number) => void;
}) {
  const { world, orders, losses, questions, saveKnown } = deps;

  /** What the back-office has of an order that it was asked about. */
  function take(tx: Tx, posReference: string, found: LookupOrder | undefined): void {
    const why = questions.why(posReference);
    if (why === null) return;
    if (found?.status !== "paid") return questions.settle(posReference);
    let present: StoredOrder | null;
    try {
      present = orders.get(posReference);
    } catch (error) {
      // One damaged order must not keep the others from being answered.
      world.log.error(logEvent("order_unreadable", { err: error, posReference }), "an order cannot be read");
      return questions.noteAnswer(posReference, tx.now);
    }
    if (present !== null && isActive(present.snapshot.status)) closeAsPaid(tx, present, found);
    else takePaid(tx, present, found, why);
  }

  /** The check is open here and paid there: here it becomes what was paid, if that is known, and is closed. */
  function closeAsPaid(tx: Tx, present: StoredOrder, found: LookupOrder): void {
    const { posReference } = present;
    const lost = losses.openOf(posReference);
    const content = lost?.kind === "order_paid" && isSameTotal(lost.order, found) ? lost.order : null;
    const { paidAt, ncf } = found;
    const paidHere: StoredOrder = {
      ...present,
      snapshot: {
        ...present.snapshot,
        status: "paid",
        // A later change of the check must not move its sale to another day.
        paidAt: paidAt ?? isoTime(tx.now),
        ...(ncf !== null && { ncf }),
      },
    };
    saveKnown(tx, { known: content ?? paidHere, present, userName: null });
    confirm(tx, posReference);
    questions.settle(posReference);
    if (lost !== null && content !== null) losses.settle(tx, lost.id, "taken_over", "hub", null);
    else listDifference(tx, present, found, lost);
  }

  function takePaid(tx: Tx, present: StoredOrder | null, found: LookupOrder, why: QuestionReason): void {
    const { posReference } = found;
    const eventId = deps.waitingEvent(posReference);
    const isOurs = eventId !== null && String(found.eventId) === String(eventId);
    if (why === "open" && eventId !== null && !isOurs) {
      // Paid there before, and here again: the answer to forwarding it decides, and a manager is asked.
      questions.noteAnswer(posReference, tx.now);
      return;
    }
    questions.settle(posReference);
    if (eventId !== null && !isOurs) confirm(tx, posReference);
    if (present === null || !isSameTotal(present, found))
      listDifference(tx, present, found, losses.openOf(posReference));
  }

  function confirm(tx: Tx, posReference: string): void {
    const eventId = deps.waitingEvent(posReference);
    if (eventId !== null) deps.confirmEvent(tx, eventId);
    const paid = orders.get(posReference);
    if (paid !== null) closeOrder(orders, tx, posReference);
  }

  /** Lists what the back-office has beside what was here; when both are the same there is nothing to decide. */
  function listDifference(tx: Tx, present: StoredOrder | null, found: LookupOrder, lost: LossRow | null): void {
    const { posReference, total, ncf, paidAt } = found;
    const order = present ?? lost?.order ?? null;
    const loss = {
      kind: "closed_by_back_office",
      posReference,
      version: Math.max(present?.version ?? 0, lost?.version ?? 0),
      sources: ["back_office"],
      knownAt: paidAt === null ? tx.now : Date.parse(paidAt) || tx.now,
      knownBy: null,
      order,
      backOffice: { total, ncf, paidAt },
    } as const;
    if (lost !== null) losses.renew(lost.id, { ...loss, sources: [...new Set([...lost.sources, "back_office"])] });
    const id = lost?.id ?? losses.add(tx, { ...loss, sources: [...loss.sources] });
    if (isSameTotal(order, found)) losses.settle(tx, id, "taken_over", "hub", null);
  }

  return {
    take,

    /**
     * What forwarding an order was answered. A sentence for a manager where "duplicate" may hide a second payment: the
     * order was open in the restored file, was paid here, and the back-office had it before.
     */
    judge(posReference: string, status: "finalized" | "duplicate"): Said | null {
      const why = questions.why(posReference);
      if (why === null || (why === "taken_over" && status === "duplicate")) return null;
      questions.settle(posReference);
      return why === "open" && status === "duplicate" ? PAID_BEFORE : null;
    },
  };
}

const PAID_BEFORE = said("paid_before_restore");

function isSameTotal(order: StoredOrder | null, found: LookupOrder): boolean {
  return order !== null && toCents(order.snapshot.totals.total) === toCents(found.total);
}
