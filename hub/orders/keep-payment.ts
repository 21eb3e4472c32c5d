import type { OrderMutation } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { HubError } from "../platform/errors.ts";
import { sum } from "../platform/money.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import type { PaymentMutation } from "./payment-identities.ts";
import { paymentsOf } from "./payment-rules.ts";
import { OutdatedPayment } from "./settle-order.ts";

export function isPayment(mutation: OrderMutation): mutation is PaymentMutation {
  return mutation.type === "ORDER_PAY" || mutation.type === "ORDER_TENDER";
}

/**
 * Keeps the money of a payment that was refused, in the commit that refuses it: money taken is a fact. False for one that is
 * malformed, and for credit that was not given: there nothing was taken.
 */
export function keepRefusedPayment(
  deps: OrderDeps,
  tx: Tx,
  mutation: PaymentMutation,
  writer: Writer,
  refusal: HubError,
): boolean {
  const payments = paymentsOf(mutation);
  if (!wasTaken(payments, refusal)) return false;
  if (!deps.unappliedPayments.save(tx, mutation, writer, refusal)) return true;
  const amount = sum(payments.map((payment) => payment.amount));
  const detail = { posReference: mutation.posReference, userName: writer.userName, amount, text: refusal.message };
  tx.notify(["payments"], { kind: "payment_unapplied", level: "bad", detail });
  return true;
}

function wasTaken(payments: ReturnType<typeof paymentsOf>, refusal: HubError): boolean {
  if (refusal.code === "CREDIT_REFUSED") return payments.some((payment) => payment.customerId === undefined);
  return refusal.code !== "VALIDATION_ERROR" || refusal instanceof OutdatedPayment;
}
