import type { SubmittedOrder } from "@comanda/protocol";
import { toCents, fromCents } from "@comanda/rules";
import { Refusal } from "../refusal.ts";
import { paymentMethods } from "../seed/catalog.ts";
import type { StoredOrder } from "../stores/orders.ts";
import type { Stores } from "../stores/stores.ts";
import { submittedContent } from "./order-content.ts";
import { placeOrder, type OrderDeps } from "./place-order.ts";

const toleranceCents = 2;

/**
 * Handles orders/create. `received` is the raw body. If the order is already paid, the stored one is returned, whatever the
 * new body contains. A new order needs an open POS session.
 */
export function createOrder(
  deps: OrderDeps,
  order: SubmittedOrder,
  received: unknown,
): { existing: boolean; order: StoredOrder } {
  const { stores } = deps;
  const before = stores.orders.get(order.pos_reference);
  if (before?.status === "paid") return { existing: true, order: before };
  if (before === null && stores.posSessions.current() === null) {
    throw new Refusal("NO_ACTIVE_SESSION", "the POS session is closed");
  }
  checkRecords(stores, order);
  checkPayments(order);
  const toStore = { posReference: order.pos_reference, status: order.status, tableId: order.tableId ?? null, received };
  return placeOrder(deps, { ...toStore, source: "ui" }, submittedContent(order));
}

function checkRecords(stores: Stores, order: SubmittedOrder): void {
  if (typeof order.tableId === "number" && !stores.floors.hasTable(order.tableId)) {
    throw new Refusal("VALIDATION_ERROR", `tableId: there is no table ${order.tableId}`);
  }
  const methods = new Set(paymentMethods.map((method) => String(method.id)));
  const unknown = (order.payments ?? []).find((payment) => !methods.has(String(payment.methodId)));
  if (unknown !== undefined) {
    throw new Refusal("VALIDATION_ERROR", `payments: there is no payment method ${unknown.methodId}`);
  }
}

/** Throws if the payments of a paid order do not cover its total. */
function checkPayments({ status, payments, totals }: SubmittedOrder): void {
  if (status !== "paid" || payments === undefined) return;
  const paidCents = payments.reduce((sum, payment) => sum + toCents(payment.amount), 0);
  if (paidCents + toleranceCents >= toCents(totals.total)) return;
  throw new Refusal(
    "VALIDATION_ERROR",
    `payments: ${fromCents(paidCents)} does not cover the total of ${totals.total}`,
  );
}
