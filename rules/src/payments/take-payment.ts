import type { Payment, Snapshot, StoredOrder, Tender, TerminalMessageOf } from "@comanda/protocol";
import { MAX_TENDERS } from "@comanda/protocol/bounds.ts";
import { isActive } from "@comanda/protocol/order-status.ts";
import { refusalOfLease, refusalOfVersion } from "../checks/guards.ts";
import type { RuleContext } from "../context.ts";
import { changesOf, type CheckChange, type Outcome, type Refusal, type Refused } from "../outcome.ts";
import type { ServiceState } from "../state.ts";
import { isoTime } from "../time.ts";
import { balanceOf } from "../money/due/amount-due.ts";
import { paymentsIn } from "./brought-payments.ts";
import { isCovered, paymentsForCheck, settledCheck, tenderForCheck } from "./pay-check.ts";
import { unknownMethodAt } from "./payment-methods.ts";
import { coversDue } from "./settle-amounts.ts";
import { voidTender } from "./void-tender.ts";
import { valueForeign } from "./value-foreign.ts";

type PaymentRequest =
  | Omit<TerminalMessageOf<"ORDER_PAY">, "requestId" | "queuedAt" | "actor" | "approval">
  | Omit<TerminalMessageOf<"ORDER_TENDER">, "requestId" | "queuedAt" | "actor" | "approval">;

/** The check that is paid, and the payments as they settle it. */
export interface AcceptedPayments {
  check: StoredOrder;
  payments: Payment[];
}

/** Returns the payments as the check accepts them, or why it does not. */
export function acceptPayments(
  state: ServiceState,
  request: PaymentRequest,
  context: RuleContext,
): AcceptedPayments | Refused {
  const check = state.order(request.posReference);
  const refusal = refusalOfTaking(check, request, context);
  if (refusal !== null || check === null) return { refusal: refusal ?? noOrder(request.posReference) };
  const methods = context.menu?.paymentMethods ?? null;
  const at = unknownMethodAt(paymentsIn(request), methods);
  // The back-office has changed its methods since the payment was queued.
  if (at !== -1) {
    const field = request.type === "ORDER_PAY" ? `payments.${at}.methodId` : "methodId";
    return { refusal: { code: "UNKNOWN_METHOD", values: { field } }, isOutdated: true };
  }
  const valued = valueForeign(paymentsIn(request), context);
  if (valued === null) return { refusal: { code: "UNKNOWN_METHOD", values: { field: "foreign" } }, isOutdated: true };
  if ("refusal" in valued) return valued;
  if (request.type === "ORDER_TENDER") {
    const result = tenderForCheck(check.snapshot, valued.payments, methods, request.seenDue);
    if ("payments" in result) {
      const refused = refusalOfNumber(check, result.payments);
      return refused === null ? { check, ...result } : { refusal: refused };
    }
    const { refusal: refused } = result;
    // The lines that were due when the money was taken have since left the check.
    const isEmptied = refused.code === "NOTHING_CHARGED" && request.seenDue !== undefined && request.seenDue > 0;
    const isOutdated = isEmptied || (refused.code === "MORE_THAN_DUE" && refused.values.fittedBefore);
    return { ...result, ...(isOutdated && { isOutdated }) };
  }
  const moved = refusalOfVersion(context.hub, check, request.baseVersion);
  if (moved !== null) return { refusal: moved };
  const result = paymentsForCheck(check.snapshot, valued.payments, methods);
  if ("payments" in result) return { check, ...result };
  // A payment that fitted the version the cashier saw is outdated, not wrong. Cash that does not add up never fitted.
  const isOutdated = request.baseVersion < check.version && result.refusal.code !== "WRONG_TENDERED";
  return { ...result, ...(isOutdated && { isOutdated }) };
}

function refusalOfTaking(
  check: StoredOrder | null,
  { posReference }: PaymentRequest,
  { writer, hub, session }: RuleContext,
): Refusal | null {
  if (writer.role === "waiter") return { code: "CASHIER_NEEDED", values: { what: "take_payment" } };
  if (check === null) return noOrder(posReference);
  const { status } = check.snapshot;
  if (!isActive(status)) return { code: "LOCKED", values: { posReference, status } };
  const lease = refusalOfLease(hub, posReference);
  if (lease !== null) return lease;
  return session?.active === false ? { code: "NO_SESSION", values: {} } : null;
}

/** Limits the tenders of a check, because each is a version of the whole check. A tender that settles it is always accepted. */
function refusalOfNumber({ posReference, snapshot }: StoredOrder, payments: readonly Payment[]): Refusal | null {
  const { tenders = [] } = snapshot;
  if (tenders.length + payments.length <= MAX_TENDERS || coversDue(payments, balanceOf(snapshot))) return null;
  return { code: "TOO_MANY_TENDERS", values: { posReference, most: MAX_TENDERS } };
}

function noOrder(posReference: string): Refusal {
  return { code: "NO_ORDER", values: { posReference } };
}

/** Returns a check with the accepted payments; paid if they cover it. */
export function withPayments(
  { check, payments }: AcceptedPayments,
  request: PaymentRequest,
  context: RuleContext,
): CheckChange {
  const { now, writer } = context;
  const { userName, terminalId } = writer;
  if (request.type === "ORDER_TENDER") {
    const { tenderId, fiscal } = request;
    const receipt = {
      tenderId,
      takenAt: isoTime(now),
      takenBy: userName,
      terminalId,
      ...(fiscal !== undefined && { fiscal }),
    };
    const tenders = payments.map((payment): Tender => ({ ...payment, ...receipt }));
    return withTenders(check, tenders, { now, paidBy: userName });
  }
  const { paymentId = request.mutationId } = request;
  const tenders = check.snapshot.tenders ?? [];
  return paid(check, settledCheck(check.snapshot, { tenders, payments, paymentId }), { now, paidBy: userName });
}

/** Returns a check with more tenders. If they cover it, it is paid by the taker of the last one. */
export function withTenders(
  check: StoredOrder,
  added: readonly Tender[],
  by: { now: number; paidBy: string },
): CheckChange {
  const tenders = [...(check.snapshot.tenders ?? []), ...added];
  const snapshot = { ...check.snapshot, tenders };
  if (isCovered(snapshot)) return paid(check, settledCheck(check.snapshot, { tenders, payments: [] }), by);
  return { previous: check, snapshot, kind: "tendered" };
}

function paid(
  previous: StoredOrder,
  snapshot: Snapshot,
  { now, paidBy }: { now: number; paidBy: string },
): CheckChange {
  return { previous, snapshot: { ...snapshot, paidAt: isoTime(now), paidBy }, kind: "paid" };
}

/** Takes money for a check. */
export function takePayment(state: ServiceState, request: PaymentRequest, context: RuleContext): Outcome {
  const accepted = acceptPayments(state, request, context);
  return "refusal" in accepted ? accepted : changesOf({ checks: [withPayments(accepted, request, context)] });
}

/** Voids a tender of an unpaid check. Does nothing if it is already voided. */
export function returnTender(
  state: ServiceState,
  { posReference, tenderId, reason }: { posReference: string; tenderId: string; reason: string },
  { now, writer, hub }: RuleContext,
): Outcome {
  if (writer.role === "waiter") return { refusal: { code: "CASHIER_NEEDED", values: { what: "return_payment" } } };
  const check = state.order(posReference);
  if (check === null) return { refusal: noOrder(posReference) };
  const result = voidTender(check.snapshot, tenderId, { at: isoTime(now), by: writer.userName, reason });
  if ("refusal" in result) {
    if (result.refusal.code === "VOIDED_BEFORE") return changesOf({});
    return { refusal: { code: "NO_TENDER", values: { tenderId } } };
  }
  const { status } = check.snapshot;
  if (!isActive(status)) return { refusal: { code: "LOCKED", values: { posReference, status } } };
  const lease = refusalOfLease(hub, posReference);
  if (lease !== null) return { refusal: lease };
  const snapshot = { ...check.snapshot, tenders: result.tenders };
  return changesOf({ checks: [{ previous: check, snapshot, kind: "tender_voided" }] });
}
