import { type OrderMutation, type Tender, hubLimits } from "@comanda/protocol";
import { amountOf, paymentsIn } from "@comanda/rules";
import type { Tx } from "../../changes/change.ts";
import { HubError } from "../../platform/errors.ts";
import type { Writer } from "../writer.ts";
import { identitiesOf, type PaymentMutation } from "./payment-identities.ts";
import type { UnappliedPaymentStore } from "./unapplied-payment-store.ts";
import { OutdatedPayment } from "../rulebook/rule-error.ts";

export function isPayment(mutation: OrderMutation): mutation is PaymentMutation {
  return mutation.type === "ORDER_PAY" || mutation.type === "ORDER_TENDER";
}

/**
 * Keeps a refused payment for a manager, in the commit that refuses it, because the money was taken. Returns false for a
 * malformed payment and for refused credit, where no money was taken.
 */
export function keepRefusedPayment(
  unappliedPayments: UnappliedPaymentStore,
  tx: Tx,
  mutation: PaymentMutation,
  writer: Writer,
  refusal: HubError,
): boolean {
  if (!isMoneyTaken(mutation, refusal)) return false;
  if (refusal.code === "FORBIDDEN") requireFewUnauthorized(unappliedPayments, mutation, writer);
  keep(unappliedPayments, tx, mutation, writer, refusal);
  return true;
}

/** Limits payments by users who may not take money, so that they cannot fill the manager's list. Throws LIMIT_REACHED. */
function requireFewUnauthorized(
  unappliedPayments: UnappliedPaymentStore,
  mutation: PaymentMutation,
  { terminalId, userName }: Writer,
): void {
  const max = hubLimits.unauthorizedPayments;
  if (identitiesOf(mutation).some((identity) => unappliedPayments.findByIdentity(identity) !== null)) return;
  if (unappliedPayments.countUnauthorized(terminalId, userName) < max) return;
  throw new HubError(
    "LIMIT_REACHED",
    `${max} payments by ${userName}, who may not take payments, are waiting for a manager: settle those first`,
  );
}

/** Keeps for a manager a tender that its check does not need. */
export function keepTender(
  unappliedPayments: UnappliedPaymentStore,
  tx: Tx,
  posReference: string,
  tender: Tender,
  refusal: HubError,
): void {
  const { takenAt: queuedAt, takenBy: userName, terminalId, tenderId, ...payment } = tender;
  const mutation = {
    type: "ORDER_TENDER" as const,
    mutationId: tenderId,
    tenderId,
    posReference,
    queuedAt,
    ...payment,
  };
  keep(unappliedPayments, tx, mutation, { terminalId, userName, role: "cashier" }, refusal);
}

function keep(
  unappliedPayments: UnappliedPaymentStore,
  tx: Tx,
  mutation: PaymentMutation,
  writer: Writer,
  refusal: HubError,
): void {
  if (!unappliedPayments.save(tx, mutation, writer, refusal)) return;
  const amount = amountOf(paymentsIn(mutation));
  const detail = { posReference: mutation.posReference, userName: writer.userName, amount };
  tx.notify(["payments"], { kind: "payment_unapplied", level: "bad", detail });
}

function isMoneyTaken(mutation: PaymentMutation, refusal: HubError): boolean {
  if (refusal.code === "CREDIT_REFUSED") {
    return paymentsIn(mutation).some((payment) => payment.customerId === undefined);
  }
  return refusal.code !== "VALIDATION_ERROR" || refusal instanceof OutdatedPayment;
}
