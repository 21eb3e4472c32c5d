import { sentence, type StoredOrder, type TerminalMessageOf } from "@comanda/protocol";
import { apply, type CheckChange, acceptPayments, type Refused, withPayments } from "@comanda/rules";
import type { Tx } from "../../changes/change.ts";
import { HubError } from "../../platform/errors.ts";
import type { ApplyDeps } from "../rulebook/apply-mutation.ts";
import { requireCashier } from "../rulebook/order-guards.ts";
import { OutdatedPayment, ruleError } from "../rulebook/rule-error.ts";
import type { OrderAnswer } from "../store/mutation-store.ts";
import { type OrderWriter, storedCheck } from "../store/order-writer.ts";
import { written, type Written } from "../store/save-version.ts";
import type { Writer } from "../writer.ts";
import type { CreditAnswers, RequireCredit } from "./credit-rules.ts";
import { checkOf, type FiscalDeps, type FiscalPart, fiscalOfPayment } from "./fiscal-rules.ts";
import { keepRefusedPayment } from "./keep-payment.ts";
import { identitiesOf, type PaymentIdentities, type PaymentMutation } from "./payment-identities.ts";
import type { UnappliedPayment, UnappliedPaymentStore } from "./unapplied-payment-store.ts";

/** The answer to a payment. */
export interface WrittenPayment extends Written {
  status: StoredOrder["snapshot"]["status"];
}

type Answer = Omit<OrderAnswer, "mutationId">;

export type Payments = ReturnType<typeof createPayments>;

export interface PaymentDeps extends Pick<ApplyDeps, "rulebook" | "orders" | "orderWriter"> {
  requireCredit: RequireCredit;
  fiscal: FiscalDeps;
  paymentIdentities: PaymentIdentities;
}

/** Applies payments of terminals to checks and takes tenders back. */
export function createPayments(deps: PaymentDeps & { unappliedPayments: UnappliedPaymentStore }) {
  const { rulebook, requireCredit, orders, orderWriter, fiscal, paymentIdentities, unappliedPayments } = deps;

  /** Records an applied payment, so that a retry is recognized, and settles it if it was kept for a manager. */
  function noteApplied(tx: Tx, mutation: PaymentMutation, by: string): void {
    paymentIdentities.record(mutation);
    for (const identity of identitiesOf(mutation)) unappliedPayments.settleIdentity(tx, identity, by);
  }

  function refused({ refusal, isOutdated }: Refused, posReference: string): HubError {
    const error = ruleError(orders.get, refusal, posReference);
    return isOutdated === true ? new OutdatedPayment(error.message) : error;
  }

  function returnUnapplied(
    tx: Tx,
    { id, posReference, settledAt }: UnappliedPayment,
    { userName, reason }: { userName: string; reason: string },
  ): Answer {
    if (settledAt !== null) return { ...stateOf(posReference), duplicate: true };
    const note = { ...sentence("note_given_back"), words: reason };
    unappliedPayments.settle(tx, id, userName, note);
    tx.notify(["payments"], { kind: "payment_settled", level: "info", detail: { posReference, userName, said: note } });
    return stateOf(posReference);
  }

  /** Returns the current state of an order, for the answer to a payment that was applied before. */
  function stateOf(posReference: string): Answer {
    const stored = orders.get(posReference);
    if (stored === null) return { posReference };
    const seq = orders.getSeq(posReference);
    return { posReference, version: stored.version, seq, status: stored.snapshot.status };
  }

  return {
    /** Applies a payment to a check. If it settles the check, adds the fiscal part. Throws a HubError if it is refused. */
    take(
      tx: Tx,
      mutation: PaymentMutation,
      { writer, queuedAtMs: queuedAt, credit }: { writer: Writer; queuedAtMs: number | null; credit: CreditAnswers },
    ): WrittenPayment {
      requireCashier(writer, "take_payment");
      if (identitiesOf(mutation).some(unappliedPayments.isSettled)) {
        throw new HubError("ORDER_LOCKED", "this payment was settled by a manager and is no longer applied");
      }
      const context = rulebook.context(tx, writer, { queuedAt });
      const outcome = acceptPayments(rulebook.state(tx), mutation, context);
      if ("refusal" in outcome) throw refused(outcome, mutation.posReference);
      const payments = requireCredit(outcome.payments, credit);
      const change = withPayments({ ...outcome, payments }, mutation, context);
      const result = storeMoney(orderWriter, tx, writer, change, () =>
        fiscalOfPayment(fiscal, checkOf(outcome.check), mutation),
      );
      noteApplied(tx, mutation, writer.userName);
      return result;
    },

    /**
     * Takes a tender back while its check is not paid, or settles a kept payment whose money was given back. Repeating it
     * returns a duplicate.
     */
    giveBack(tx: Tx, mutation: TerminalMessageOf<"ORDER_TENDER_VOID">, writer: Writer): Answer {
      requireCashier(writer, "return_payment");
      const { tenderId, reason } = mutation;
      const posReference = paymentIdentities.findOrder(tenderId);
      if (posReference === null) {
        const unapplied = unappliedPayments.findByIdentity(tenderId);
        if (unapplied !== null) return returnUnapplied(tx, unapplied, { userName: writer.userName, reason });
        throw ruleError(orders.get, { code: "NO_TENDER", values: { tenderId } });
      }
      const applied = apply(rulebook.state(tx), { ...mutation, posReference }, rulebook.context(tx, writer));
      if ("refusal" in applied) throw refused(applied, posReference);
      const [change] = applied.checks;
      if (change === undefined) return { ...stateOf(posReference), duplicate: true };
      const stored = orderWriter.store(tx, writer, applied);
      return { ...written(storedCheck(stored, posReference)), status: change.snapshot.status };
    },

    /** Returns the state of the check that this payment was already applied to; null if it was not applied. */
    stateOfApplied(mutation: PaymentMutation): Answer | null {
      const posReference = paymentIdentities.findAppliedOrder(mutation);
      return posReference === null ? null : stateOf(posReference);
    },

    /** Keeps a refused payment in the commit that refuses it; returns false if no money was taken. */
    keepRefused: (tx: Tx, mutation: PaymentMutation, writer: Writer, refusal: HubError): boolean =>
      keepRefusedPayment(unappliedPayments, tx, mutation, writer, refusal),
  };
}

/** Stores a check with its payments. Calls `fiscal` if they settle the check. */
export function storeMoney(
  orderWriter: OrderWriter,
  tx: Tx,
  writer: Writer,
  change: CheckChange,
  fiscal: () => FiscalPart,
): WrittenPayment {
  const { snapshot, kind } = change;
  const complete = kind === "paid" ? { ...snapshot, ...fiscal() } : snapshot;
  const stored = orderWriter.store(tx, writer, { checks: [{ ...change, snapshot: complete }] });
  return { ...written(storedCheck(stored, snapshot.posReference)), status: snapshot.status };
}
