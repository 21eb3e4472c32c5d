import { isActive, type Payment, type StoredOrder, type TerminalMessageOf } from "@comanda/protocol";
import { paymentsForCheck, paymentsIn, unknownMethodAt } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { type CreditAnswers, requireCredit } from "./credit-rules.ts";
import { checkOf, fiscalOfPayment } from "./fiscal-rules.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { locked, requireCashier, requireCurrent, requireNoOtherLease, requireOrder } from "./order-guards.ts";
import { identitiesOf, identityOf, type PaymentMutation } from "./payment-identities.ts";
import { sentenceOfPayment } from "./payment-refusal.ts";
import { OutdatedPayment, settleOrder, type WrittenPayment } from "./settle-order.ts";

type Pay = TerminalMessageOf<"ORDER_PAY">;

/** Finalizes a check with these payments and the tenders that lie on it. */
export function payOrder(deps: OrderDeps, tx: Tx, pay: Pay, writer: Writer, credit: CreditAnswers): WrittenPayment {
  const stored = requirePayable(deps, pay, writer);
  requireKnownMethods(deps, pay);
  requireCurrent(deps, stored, pay.baseVersion, writer.terminalId);
  const payments = requireCredit(deps, requireSettling(deps, pay, stored), credit);
  const result = settleOrder(deps, tx, stored, writer, {
    tenders: stored.snapshot.tenders ?? [],
    payments,
    paymentId: identityOf(pay),
    paidBy: writer.userName,
    fiscal: fiscalOfPayment(deps, checkOf(stored), pay),
  });
  noteApplied(deps, tx, pay, writer.userName);
  return result;
}

/** The order that money is brought to, if it can be taken now. */
export function requirePayable(deps: OrderDeps, mutation: PaymentMutation, writer: Writer): StoredOrder {
  requireCashier(writer, "take payment");
  if (identitiesOf(mutation).some(deps.unappliedPayments.isSettled)) {
    throw new HubError("ORDER_LOCKED", "this payment was settled by a manager and is not applied any more");
  }
  const stored = requireOrder(deps, mutation.posReference);
  if (!isActive(stored.snapshot.status)) throw locked(stored);
  requireNoOtherLease(deps, mutation.posReference, writer);
  requireSession(deps);
  return stored;
}

/** Refuses a method that the back-office does not have, as far as its methods are known. */
export function requireKnownMethods(deps: OrderDeps, mutation: PaymentMutation): void {
  const index = unknownMethodAt(paymentsIn(mutation), deps.posConfig()?.paymentMethods ?? null);
  if (index === -1) return;
  const field = mutation.type === "ORDER_PAY" ? `payments.${index}.methodId` : "methodId";
  throw new OutdatedPayment(`${field}: the back-office has no such payment method`);
}

/** Refuses money while the POS session is closed. */
export function requireSession(deps: OrderDeps): void {
  if (deps.session()?.active === false) {
    throw new HubError("NO_ACTIVE_SESSION", "the point-of-sale session is closed");
  }
}

/** A payment is applied: a retry of it is recognized, and what was kept of it is settled. */
export function noteApplied(deps: OrderDeps, tx: Tx, mutation: PaymentMutation, by: string): void {
  deps.paymentIdentities.record(mutation);
  for (const identity of identitiesOf(mutation)) deps.unappliedPayments.settleIdentity(tx, identity, by);
}

/** The payments as they settle the check, or why they do not. */
function requireSettling(deps: OrderDeps, pay: Pay, stored: StoredOrder): Payment[] {
  const result = paymentsForCheck(stored.snapshot, pay.payments, deps.posConfig()?.paymentMethods ?? null);
  if ("payments" in result) return result.payments;
  const message = sentenceOfPayment(result.refusal, pay.posReference);
  // What fitted the version that the cashier saw was taken. Cash that does not add up fitted none.
  const fittedBefore = pay.baseVersion < stored.version && result.refusal.code !== "WRONG_TENDERED";
  throw fittedBefore ? new OutdatedPayment(message) : new HubError("VALIDATION_ERROR", message);
}
