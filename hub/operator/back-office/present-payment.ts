import { isActive, type UnappliedPayment as ShownPayment } from "@comanda/protocol";
import { amountOf, balanceOf, placeOf } from "@comanda/rules";
import type { OrderStore } from "../../orders/store/order-store.ts";
import { isUnauthorized, type UnappliedPayment } from "../../orders/payments/unapplied-payment-store.ts";
import { isoTime } from "../../platform/world.ts";

/** Returns a payment that waits for a manager or was settled by one. */
export function presentPayment(payment: UnappliedPayment, orders: OrderStore): ShownPayment {
  const { settledAt } = payment;
  const order = orders.get(payment.posReference);
  const removed = order === null && orders.wasRemoved(payment.posReference);
  const shown = removed ? orders.lastContent(payment.posReference) : order;
  return {
    paymentId: payment.identity,
    posReference: payment.posReference,
    place: shown === null ? null : placeOf(shown.snapshot),
    orderStatus: order?.snapshot.status ?? null,
    removed,
    due: order !== null && isActive(order.snapshot.status) ? balanceOf(order.snapshot) : null,
    hasContent: payment.mutation?.snapshot !== undefined,
    terminalId: payment.terminalId,
    userName: payment.userName,
    receivedAt: isoTime(payment.at),
    takenAt: payment.takenAt,
    payments: payment.payments,
    amount: amountOf(payment.payments),
    isUnauthorized: isUnauthorized(payment),
    errorCode: payment.errorCode,
    error: payment.error,
    settled:
      settledAt === null
        ? null
        : { at: isoTime(settledAt), by: payment.settledBy ?? "", note: payment.settledNote ?? {} },
  };
}
