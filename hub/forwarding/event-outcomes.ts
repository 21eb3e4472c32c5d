import { logEvent } from "../platform/log-event.ts";
import {
  said,
  saidInEnglish,
  type Said,
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

/** After so many refusals of one event an operator has to look at it. */
const MAX_REFUSALS = 10;
const BACKOFF_FACTOR = 1.5;
/** The order cannot have its fiscal number, as when another order has it: no attempt changes that. */
const NUMBER_REFUSED: ReadonlySet<string | null | undefined> = new Set(["NCF_CONFLICT", "NCF_INVALID"]);

export type EventOutcomes = ReturnType<typeof createEventOutcomes>;

/**
 * Stores what became of events at the back-office. Everything runs inside the caller's write; `ms` is how long the
 * back-office took.
 */
export function createEventOutcomes(deps: {
  world: World;
  orders: OrderStore;
  events: EventStore;
  intervalMs: number;
  /** Why the back-office's yes must not be believed before a manager has looked; null when it may. */
  judge(posReference: string, status: "finalized" | "duplicate"): Said | null;
  /** What the back-office's word on its receipt changes of an order. */
  receiptOf(tx: Tx, order: StoredOrder, answered: unknown): FiscalPart;
}) {
  const { world, events, orders, intervalMs, judge, receiptOf } = deps;

  function confirm(tx: Tx, event: WaitingEvent, result: Pick<BatchSyncResult, "status" | "fiscal">, ms: number): void {
    const doubt = result.status === "failed" ? null : judge(event.posReference, result.status);
    if (doubt !== null) {
      setAsideFor(tx, event, doubt, ms, "PAID_BEFORE_RESTORE");
      return;
    }
    events.done(event.id, tx.now, result.status, ms);
    closeOrder(orders, tx, event.posReference, (order) => receiptOf(tx, order, result.fiscal));
  }

  /** Another attempt would not help: an operator has to look at it. */
  function setAsideFor(tx: Tx, event: WaitingEvent, error: Said, ms: number, errorCode: string | null = null): void {
    events.refused(event.id, tx.now, { error, errorCode, isRefusal: true, ms }, null);
    showAttention(tx, event, error);
  }

  function showAttention(tx: Tx, { posReference }: WaitingEvent, why: Said): void {
    const error = saidInEnglish(why);
    world.log.error(logEvent("paid_order_attention", { posReference, reason: error }), "a paid order needs attention");
    tx.notify(["forward", "fiscal"], {
      kind: "forward_attention",
      level: "bad",
      detail: { posReference, said: why },
    });
    setForwardState(orders, tx, posReference, { state: "attention", at: isoTime(tx.now), error });
  }

  return {
    ...createEventDecisions(orders, events),
    confirm,
    setAsideFor,

    /** The result of an event in a batch. */
    settle(tx: Tx, event: WaitingEvent, result: BatchSyncResult, ms: number): void {
      if (result.status !== "failed") return confirm(tx, event, result, ms);
      const errorCode = result.errorCode ?? null;
      const words = result.error ?? undefined;
      const error = words === undefined ? said("refused_without_a_word") : { words };
      if (NUMBER_REFUSED.has(errorCode)) return setAsideFor(tx, event, error, ms, errorCode);
      events.setAlone(event.id, tx.now, error, errorCode, ms);
    },

    /** An order that the back-office has is done if the totals agree, else a person has to compare. */
    settleFound(tx: Tx, { event, order }: PaidOrder, found: LookupOrder, ms: number): void {
      const ours = order.snapshot.totals.total;
      if (toCents(found.total) === toCents(ours)) {
        // Finalized under this very event: then it is no repeat of what was paid before.
        const status = String(found.eventId) === String(event.id) ? "finalized" : "duplicate";
        // Of the receipt it tells the number only.
        const fiscal = found.ncf === null ? undefined : { ncf: found.ncf };
        return confirm(tx, event, { status, fiscal }, ms);
      }
      const [there, here] = [found.total.toFixed(2), ours.toFixed(2)];
      setAsideFor(tx, event, said("totals_differ", { there, here }), ms);
    },

    /** An event that failed alone waits for its next attempt, after too many refusals for an operator. */
    refuse(tx: Tx, event: WaitingEvent, failure: BackOfficeError, ms: number): void {
      const isRefused = isRefusal(failure);
      if (isRefused && NUMBER_REFUSED.has(failure.errorCode)) {
        setAsideFor(tx, event, failure.said, ms, failure.errorCode);
        return;
      }
      const refusals = event.refusals + (isRefused ? 1 : 0);
      // A manager's retry forgets the refusals: the waits start over as well.
      const failures = isRefused ? refusals : event.attempts;
      const waitMs = Math.min(BACKOFF_MAX_MS, intervalMs * BACKOFF_FACTOR ** failures);
      const nextAttemptAt = refusals >= MAX_REFUSALS ? null : tx.now + Math.round(waitMs);
      const { said: error, errorCode = null } = failure;
      events.refused(event.id, tx.now, { error, errorCode, isRefusal: isRefused, ms }, nextAttemptAt);
      if (nextAttemptAt === null) showAttention(tx, event, error);
    },
  };
}
