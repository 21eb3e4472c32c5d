import { logEvent } from "../platform/log-event.ts";
import {
  sentence,
  sentenceInEnglish,
  type Sentence,
  type BatchSyncResult,
  type LookupOrder,
  type StoredOrder,
} from "@comanda/protocol";
import { toCents } from "@comanda/rules";
import { type BackOfficeError, isRefusal } from "../back-office/back-office-error.ts";
import type { Tx } from "../changes/change.ts";
import type { FiscalPart } from "../orders/payments/fiscal-rules.ts";
import { closeOrder } from "../orders/store/save-version.ts";
import { isoTime, type World } from "../platform/world.ts";
import { createEventDecisions, setForwardState } from "./event-decisions.ts";
import { BACKOFF_MAX_MS } from "./event-queue.ts";
import type { WaitingEvent } from "./event-rows.ts";
import type { EventStore } from "./event-store.ts";
import type { PaidOrder } from "./paid-orders.ts";
import type { OrderStore } from "../orders/store/order-store.ts";

/** After this many refusals of an event, an operator must decide. */
const MAX_REFUSALS = 10;
const BACKOFF_FACTOR = 1.5;
/** Error codes for a fiscal number that the order cannot have, for example because another order has it. Not retried. */
const NUMBER_REFUSED: ReadonlySet<string | null | undefined> = new Set(["NCF_CONFLICT", "NCF_INVALID"]);

export type EventOutcomes = ReturnType<typeof createEventOutcomes>;

/**
 * Stores the results of events at the back-office. Everything runs inside the caller's write. `ms` is how long the
 * back-office took.
 */
export function createEventOutcomes(deps: {
  world: World;
  orders: OrderStore;
  events: EventStore;
  intervalMs: number;
  /** Why a manager must check the back-office's confirmation first; null if it can be accepted. */
  suspicionOf(posReference: string, status: "finalized" | "duplicate"): Sentence | null;
  /** The fiscal fields of an order after the back-office's answer about its receipt. */
  receiptOf(tx: Tx, order: StoredOrder, answered: unknown): FiscalPart;
}) {
  const { world, events, orders, intervalMs, suspicionOf, receiptOf } = deps;

  function confirm(tx: Tx, event: WaitingEvent, result: Pick<BatchSyncResult, "status" | "fiscal">, ms: number): void {
    const suspicion = result.status === "failed" ? null : suspicionOf(event.posReference, result.status);
    if (suspicion !== null) {
      setAsideFor(tx, event, suspicion, ms, "PAID_BEFORE_RESTORE");
      return;
    }
    events.done(event.id, tx.now, result.status, ms);
    closeOrder(orders, tx, event.posReference, (order) => receiptOf(tx, order, result.fiscal));
  }

  /** Stops forwarding an event and asks an operator, because another attempt would not help. */
  function setAsideFor(
    tx: Tx,
    event: WaitingEvent,
    error: Sentence,
    ms: number,
    errorCode: string | null = null,
  ): void {
    events.refused(event.id, tx.now, { error, errorCode, isRefusal: true, ms }, null);
    showAttention(tx, event, error);
  }

  function showAttention(tx: Tx, { posReference }: WaitingEvent, reason: Sentence): void {
    const error = sentenceInEnglish(reason);
    world.log.error(logEvent("paid_order_attention", { posReference, reason: error }), "a paid order needs attention");
    tx.notify(["forward", "fiscal"], {
      kind: "forward_attention",
      level: "bad",
      detail: { posReference, said: reason },
    });
    setForwardState(orders, tx, posReference, { state: "attention", at: isoTime(tx.now), error });
  }

  return {
    ...createEventDecisions(orders, events),
    confirm,
    setAsideFor,

    /** Stores the result of an event in a batch. */
    settle(tx: Tx, event: WaitingEvent, result: BatchSyncResult, ms: number): void {
      if (result.status !== "failed") return confirm(tx, event, result, ms);
      const errorCode = result.errorCode ?? null;
      const message = result.error ?? undefined;
      const error = message === undefined ? sentence("refused_without_a_word") : { words: message };
      if (NUMBER_REFUSED.has(errorCode)) return setAsideFor(tx, event, error, ms, errorCode);
      events.setAlone(event.id, tx.now, error, errorCode, ms);
    },

    /** Confirms an order that the back-office already has. If the totals differ, an operator must compare. */
    settleFound(tx: Tx, { event, order }: PaidOrder, found: LookupOrder, ms: number): void {
      const ownTotal = order.snapshot.totals.total;
      if (toCents(found.total) === toCents(ownTotal)) {
        // Finalized by this event, so it does not repeat an earlier payment.
        const status = String(found.eventId) === String(event.id) ? "finalized" : "duplicate";
        // A lookup only contains the number of the receipt.
        const fiscal = found.ncf === null ? undefined : { ncf: found.ncf };
        return confirm(tx, event, { status, fiscal }, ms);
      }
      const [there, here] = [found.total.toFixed(2), ownTotal.toFixed(2)];
      setAsideFor(tx, event, sentence("totals_differ", { there, here }), ms);
    },

    /** Schedules the next attempt of an event that failed alone. After too many refusals, asks an operator. */
    refuse(tx: Tx, event: WaitingEvent, failure: BackOfficeError, ms: number): void {
      const isRefused = isRefusal(failure);
      if (isRefused && NUMBER_REFUSED.has(failure.errorCode)) {
        setAsideFor(tx, event, failure.said, ms, failure.errorCode);
        return;
      }
      const refusals = event.refusals + (isRefused ? 1 : 0);
      // A manager's retry resets the refusals, and with them the backoff.
      const failures = isRefused ? refusals : event.attempts;
      const waitMs = Math.min(BACKOFF_MAX_MS, intervalMs * BACKOFF_FACTOR ** failures);
      const nextAttemptAt = refusals >= MAX_REFUSALS ? null : tx.now + Math.round(waitMs);
      const { said: error, errorCode = null } = failure;
      events.refused(event.id, tx.now, { error, errorCode, isRefusal: isRefused, ms }, nextAttemptAt);
      if (nextAttemptAt === null) showAttention(tx, event, error);
    },
  };
}
