import { isActive, type Payment, type StoredOrder, type Tender, type TerminalMessageOf } from "@comanda/protocol";
import { isCovered, paymentsIn, tenderForCheck, voidTender as voidTenderOf } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { type CreditAnswers, requireCredit } from "./credit-rules.ts";
import { checkOf, type FiscalPart, fiscalOfPayment } from "./fiscal-rules.ts";
import type { OrderAnswer } from "./mutation-store.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { locked, requireCashier, requireNoOtherLease, requireOrder } from "./order-guards.ts";
import { noteApplied, requireKnownMethods, requirePayable } from "./pay-order.ts";
import { sentenceOfTender } from "./payment-refusal.ts";
import { saveVersion, written } from "./save-version.ts";
import { OutdatedPayment, settleOrder, type WrittenPayment } from "./settle-order.ts";
import type { UnappliedPayment } from "./unapplied-payment-store.ts";

/** Puts one payment on a check; the one that covers it makes the check paid. */
export function tenderOrder(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"ORDER_TENDER">,
  writer: Writer,
  credit: CreditAnswers,
): WrittenPayment {
  const stored = requirePayable(deps, request, writer);
  requireKnownMethods(deps, request);
  const payments = requireCredit(deps, requireFitting(deps, stored, paymentsIn(request)), credit);
  const { terminalId, userName: takenBy } = writer;
  const takenAt = isoTime(tx.now);
  const tenders = payments.map((payment): Tender => ({
    ...payment,
    tenderId: request.tenderId,
    takenAt,
    takenBy,
    terminalId,
  }));
  const result = addTenders(deps, tx, stored, writer, {
    tenders,
    fiscal: () => fiscalOfPayment(deps, checkOf(stored), request),
  });
  noteApplied(deps, tx, request, writer.userName);
  return result;
}

/** Puts tenders on a check, and settles it when they cover it with those before them. */
export function addTenders(
  deps: OrderDeps,
  tx: Tx,
  stored: StoredOrder,
  writer: Writer,
  added: { tenders: readonly Tender[]; fiscal: () => FiscalPart },
): WrittenPayment {
  const tenders = [...(stored.snapshot.tenders ?? []), ...added.tenders];
  const snapshot = { ...stored.snapshot, tenders };
  if (isCovered(snapshot)) {
    const paidBy = added.tenders.at(-1)?.takenBy ?? writer.userName;
    return settleOrder(deps, tx, stored, writer, { tenders, payments: [], paidBy, fiscal: added.fiscal() });
  }
  const { posReference } = stored;
  const change = saveVersion(deps, tx, writer, { posReference, snapshot, kind: "tendered", previous: stored });
  return { ...written(change), status: snapshot.status };
}

/**
 * Takes a tender back while its check is not paid, or settles a kept payment whose money was given back. One that was taken
 * back before is answered as a duplicate.
 */
export function voidTender(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"ORDER_TENDER_VOID">,
  writer: Writer,
): Omit<OrderAnswer, "mutationId"> {
  requireCashier(writer, "take a payment back");
  const { tenderId, reason } = request;
  const posReference = deps.paymentIdentities.orderOf(tenderId);
  const kept = posReference === null ? deps.unappliedPayments.ofIdentity(tenderId) : null;
  if (kept !== null) return returnKept(deps, tx, kept, { userName: writer.userName, reason });
  const stored = posReference === null ? null : requireOrder(deps, posReference);
  const voided = { at: isoTime(tx.now), by: writer.userName, reason };
  const result = stored === null ? null : voidTenderOf(stored.snapshot, tenderId, voided);
  const refusal = result !== null && "refusal" in result ? result.refusal : null;
  if (stored === null || refusal?.code === "NO_TENDER")
    throw new HubError("NOT_FOUND", `there is no tender ${tenderId}`);
  if (result === null || "refusal" in result) return { ...stateOf(deps, stored.posReference), duplicate: true };
  if (!isActive(stored.snapshot.status)) throw locked(stored);
  requireNoOtherLease(deps, stored.posReference, writer);
  const snapshot = { ...stored.snapshot, tenders: result.tenders };
  const change = saveVersion(deps, tx, writer, {
    posReference: stored.posReference,
    snapshot,
    kind: "tender_voided",
    previous: stored,
  });
  return { ...written(change), status: snapshot.status };
}

function returnKept(
  deps: OrderDeps,
  tx: Tx,
  { id, posReference, settledAt }: UnappliedPayment,
  { userName, reason }: { userName: string; reason: string },
): Omit<OrderAnswer, "mutationId"> {
  if (settledAt !== null) return { ...stateOf(deps, posReference), duplicate: true };
  const text = `given back: ${reason}`;
  deps.unappliedPayments.settle(tx, id, userName, text);
  tx.notify(["payments"], { kind: "payment_settled", level: "info", detail: { posReference, userName, text } });
  return stateOf(deps, posReference);
}

/** Where an order stands, for the answer to a payment that was applied before. */
export function stateOf(deps: OrderDeps, posReference: string): Omit<OrderAnswer, "mutationId"> {
  const stored = deps.orders.get(posReference);
  if (stored === null) return { posReference };
  const seq = deps.orders.seqOf(posReference);
  return { posReference, version: stored.version, seq, status: stored.snapshot.status };
}

/** The payment as it settles a part of the check, or why it does not. */
function requireFitting(deps: OrderDeps, stored: StoredOrder, payments: readonly Payment[]): Payment[] {
  const result = tenderForCheck(stored.snapshot, payments, deps.posConfig()?.paymentMethods ?? null);
  if ("payments" in result) return result.payments;
  const { refusal } = result;
  const message = sentenceOfTender(refusal, stored.posReference);
  // What fitted before others paid was taken.
  const fittedBefore = refusal.code === "MORE_THAN_DUE" && refusal.values.fittedBefore;
  throw fittedBefore ? new OutdatedPayment(message) : new HubError("VALIDATION_ERROR", message);
}
