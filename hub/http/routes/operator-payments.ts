import type { AuditLog } from "../../operator/audit-log.ts";
import { applyPayment } from "../../orders/apply-payment.ts";
import type { OrderDeps } from "../../orders/order-deps.ts";
import { type ClosingReportDeps, readClosingReport } from "../../operator/closing-report.ts";
import { presentPayment } from "../../operator/present-payment.ts";
import type { UnappliedPayment } from "../../orders/unapplied-payment-store.ts";
import { HubError } from "../../platform/errors.ts";
import { isoTime } from "../../platform/world.ts";
import { nextCursor, readCursor, requireNumber } from "../cursor.ts";
import type { OperatorHandlers } from "../handlers.ts";

interface Deps extends OrderDeps, ClosingReportDeps {
  audit: AuditLog;
}

/** Payments that could not be applied, and the closing of a shift. */
export function operatorPaymentRoutes(deps: Deps) {
  const { changes, audit, orders, unappliedPayments } = deps;

  /** A payment that no one has settled. */
  function requireOpen(id: number): UnappliedPayment {
    const known = unappliedPayments.get(id);
    if (known === null) throw new HubError("NOT_FOUND", `there is no payment ${id}`);
    if (known.settledAt === null) return known;
    const settledAt = isoTime(known.settledAt);
    throw new HubError("CONFLICT", `payment ${id} was settled before`, { settledAt });
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
      const id = requireNumber(paymentId, "payment");
      const payment = await changes.write((tx) => {
        const known = requireOpen(id);
        unappliedPayments.settle(tx, id, manager.userName, note);
        audit.record(tx, manager.userName, "payment.settle", known.posReference, note);
        const detail = { posReference: known.posReference, userName: manager.userName, text: note };
        tx.notify(["payments"], { kind: "payment_settled", level: "info", detail });
        return unappliedPayments.get(id) ?? known;
      });
      return { payment: presentPayment(payment, orders) };
    },

    async applyPayment({ params: { paymentId }, body: { note = null }, manager: { userName } }) {
      const id = requireNumber(paymentId, "payment");
      const { payment, ...applied } = await changes.write((tx) => {
        const known = requireOpen(id);
        const result = applyPayment(deps, tx, known, userName);
        const { posReference } = known;
        const text = [`applied ${result.applied}`, note].filter(Boolean).join(": ");
        unappliedPayments.settle(tx, id, userName, text);
        audit.record(tx, userName, "payment.apply", posReference, text);
        tx.notify(["payments"], { kind: "payment_settled", level: "info", detail: { posReference, userName, text } });
        return { ...result, payment: unappliedPayments.get(id) ?? known };
      });
      const { posReference, version, status, due, giveBack } = applied;
      return {
        payment: presentPayment(payment, orders),
        applied: applied.applied,
        posReference,
        version,
        status,
        due,
        giveBack,
      };
    },

    closing: () => readClosingReport(deps),
  } satisfies Partial<OperatorHandlers>;
}
