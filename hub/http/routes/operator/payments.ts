import { sentence, type AuditAction, type ClosingReport, type Sentence } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import type { Tx } from "../../../changes/change.ts";
import type { AppliedPayment } from "../../../orders/payments/apply-payment.ts";
import { presentPayment } from "../../../operator/back-office/present-payment.ts";
import { isUnauthorized, type UnappliedPayment } from "../../../orders/payments/unapplied-payment-store.ts";
import { requireUnsettled } from "../../../platform/errors.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import { nextCursor, readCursor } from "../../cursor.ts";
import type { OperatorHandlers } from "../../handlers.ts";

interface Deps extends Pick<Stores, "changes" | "audit" | "orders" | "unappliedPayments"> {
  /** Applies a kept payment to its check. */
  applyPayment(tx: Tx, payment: UnappliedPayment, manager: string): AppliedPayment;
  readClosingReport(): ClosingReport;
}

/** Routes for payments that could not be applied, and the closing report of a shift. */
export function operatorPaymentRoutes(deps: Deps) {
  const { changes, audit, orders, unappliedPayments } = deps;

  const requireOpen = (paymentId: string): UnappliedPayment =>
    requireUnsettled(unappliedPayments.findByIdentity(paymentId), `payment ${paymentId}`);

  function settle(
    tx: Tx,
    payment: UnappliedPayment,
    { by, action, note }: { by: string; action: AuditAction; note: Sentence },
  ): UnappliedPayment {
    const { id, posReference } = payment;
    unappliedPayments.settle(tx, id, by, note);
    audit.record(tx, by, action, posReference, note);
    const detail = { posReference, userName: by, said: note };
    tx.notify(["payments"], { kind: "payment_settled", level: "info", detail });
    return unappliedPayments.get(id) ?? payment;
  }

  return {
    payments({ query: { state, cursor, limit } }) {
      const place = readCursor(cursor);
      const rows =
        state === "open"
          ? unappliedPayments.listOpen().filter((payment) => payment.id > (place ?? 0))
          : unappliedPayments.listSettled(place ?? Number.MAX_SAFE_INTEGER, limit);
      const shown = rows.slice(0, limit);
      return {
        payments: shown.map((payment) => presentPayment(payment, orders)),
        nextCursor: nextCursor(shown, limit, (payment) => payment.id),
        total: state === "open" ? unappliedPayments.countOpen() : unappliedPayments.countSettled(),
      };
    },

    async settlePayment({ params: { paymentId }, body: { note }, manager }) {
      const payment = await changes.write((tx) =>
        settle(tx, requireOpen(paymentId), { by: manager.userName, action: "payment.settle", note: { words: note } }),
      );
      return { payment: presentPayment(payment, orders) };
    },

    async settleUnauthorizedPayments({ body: { note }, manager: { userName: by } }) {
      return changes.write((tx) => {
        const open = unappliedPayments.listOpen().filter(isUnauthorized);
        for (const payment of open) settle(tx, payment, { by, action: "payment.settle", note: { words: note } });
        return {
          settled: open.length,
          amount: sum(open.flatMap(({ payments }) => payments.map(({ amount }) => amount))),
        };
      });
    },

    async applyPayment({ params: { paymentId }, body: { note }, manager: { userName: by } }) {
      const { payment, result } = await changes.write((tx) => {
        const unapplied = requireOpen(paymentId);
        const { seq: _, ...applied } = deps.applyPayment(tx, unapplied, by);
        const done = { ...factsOf(applied), ...(note !== undefined && { words: note }) };
        return { payment: settle(tx, unapplied, { by, action: "payment.apply", note: done }), result: applied };
      });
      return { payment: presentPayment(payment, orders), ...result };
    },

    closing: deps.readClosingReport,
  } satisfies Partial<OperatorHandlers>;
}

/** Returns the audit log's note on an applied payment. */
function factsOf({ applied: amount, due, giveBack }: Pick<AppliedPayment, "applied" | "due" | "giveBack">): Sentence {
  if (due > 0) return sentence("note_applied_part", { amount, due });
  return giveBack > 0 ? sentence("note_applied_too_much", { amount, giveBack }) : sentence("note_applied", { amount });
}
