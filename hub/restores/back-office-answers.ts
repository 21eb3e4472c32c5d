import { logEvent } from "../platform/log-event.ts";
import { sentence, type Sentence, isActive, type LookupOrder, type StoredOrder } from "@comanda/protocol";
import { toCents } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { closeOrder } from "../orders/store/save-version.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { isoTime, type World } from "../platform/world.ts";
import type { LossRow, LossStore } from "./loss-store.ts";
import type { QuestionReason, QuestionStore } from "./question-store.ts";
import type { SaveContent } from "./take-over-loss.ts";

export type BackOfficeAnswers = ReturnType<typeof createBackOfficeAnswers>;

/**
 * Applies the back-office's answers about orders after a restore. Closes orders that it has as paid. An order that was paid
 * here as well is not mistaken for a duplicate delivery.
 */
export function createBackOfficeAnswers(deps: {
  world: World;
  orders: OrderStore;
  losses: LossStore;
  questions: QuestionStore;
  saveContent: SaveContent;
  /** The id of the order's event that is not forwarded yet, or null. */
  waitingEvent: (posReference: string) => number | null;
  /** Confirms an event whose order the back-office already has. */
  confirmEvent: (tx: Tx, eventId: number) => void;
}) {
  const { world, orders, losses, questions, saveContent } = deps;

  /** Applies the answer about an order; `found` is undefined if the back-office does not have it. */
  function take(tx: Tx, posReference: string, found: LookupOrder | undefined): void {
    const reason = questions.findReason(posReference);
    if (reason === null) return;
    if (found?.status !== "paid") return questions.settle(posReference);
    let present: StoredOrder | null;
    try {
      present = orders.get(posReference);
    } catch (error) {
      // One damaged order must not block the answers for the others.
      world.log.error(logEvent("order_unreadable", { err: error, posReference }), "an order cannot be read");
      return questions.noteAnswer(posReference, tx.now);
    }
    if (present !== null && isActive(present.snapshot.status)) closeAsPaid(tx, present, found);
    else takePaid(tx, present, found, reason);
  }

  /** Closes a check that is open here and paid there, with the paid content if that is known from a loss. */
  function closeAsPaid(tx: Tx, present: StoredOrder, found: LookupOrder): void {
    const { posReference } = present;
    const lost = losses.findOpen(posReference);
    const content = lost?.kind === "order_paid" && isSameTotal(lost.order, found) ? lost.order : null;
    const { paidAt, ncf } = found;
    const paidOrder: StoredOrder = {
      ...present,
      snapshot: {
        ...present.snapshot,
        status: "paid",
        // Keeps the sale on its day: later changes of the check must not move it.
        paidAt: paidAt ?? isoTime(tx.now),
        ...(ncf !== null && { ncf }),
      },
    };
    saveContent(tx, { order: content ?? paidOrder, present, userName: null });
    confirm(tx, posReference);
    questions.settle(posReference);
    if (lost !== null && content !== null) losses.settle(tx, lost.id, "taken_over", "hub", null);
    else listDifference(tx, present, found, lost);
  }

  function takePaid(tx: Tx, present: StoredOrder | null, found: LookupOrder, reason: QuestionReason): void {
    const { posReference } = found;
    const eventId = deps.waitingEvent(posReference);
    const isOwnEvent = eventId !== null && String(found.eventId) === String(eventId);
    if (reason === "open" && eventId !== null && !isOwnEvent) {
      // Paid there before and here again. The answer to forwarding it decides whether a manager is asked.
      questions.noteAnswer(posReference, tx.now);
      return;
    }
    questions.settle(posReference);
    if (eventId !== null && !isOwnEvent) confirm(tx, posReference);
    if (present === null || !isSameTotal(present, found))
      listDifference(tx, present, found, losses.findOpen(posReference));
  }

  function confirm(tx: Tx, posReference: string): void {
    const eventId = deps.waitingEvent(posReference);
    if (eventId !== null) deps.confirmEvent(tx, eventId);
    const paid = orders.get(posReference);
    if (paid !== null) closeOrder(orders, tx, posReference);
  }

  /** Records the back-office's data as a loss for a manager to compare. If the totals agree, settles it immediately. */
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
     * Judges the answer to forwarding an order. Returns a message for a manager if `duplicate` may hide a second payment:
     * the order was open in the restored file, was paid here, and the back-office already had it. Otherwise null.
     */
    suspicionOf(posReference: string, status: "finalized" | "duplicate"): Sentence | null {
      const reason = questions.findReason(posReference);
      if (reason === null || (reason === "taken_over" && status === "duplicate")) return null;
      questions.settle(posReference);
      return reason === "open" && status === "duplicate" ? PAID_BEFORE : null;
    },
  };
}

const PAID_BEFORE = sentence("paid_before_restore");

function isSameTotal(order: StoredOrder | null, found: LookupOrder): boolean {
  return order !== null && toCents(order.snapshot.totals.total) === toCents(found.total);
}
