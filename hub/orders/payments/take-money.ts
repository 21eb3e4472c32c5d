import type { StoredOrder, TerminalMessageOf } from "@comanda/protocol";
import { apply, type CheckChange, paymentsTaken, type Refused, withPayments } from "@comanda/rules";
import type { Tx } from "../../changes/change.ts";
import { HubError } from "../../platform/errors.ts";
import { type CreditAnswers, requireCredit } from "./credit-rules.ts";
import { checkOf, type FiscalPart, fiscalOfPayment } from "./fiscal-rules.ts";
import type { OrderAnswer } from "../store/mutation-store.ts";
import type { OrderDeps, Writer } from "../order-deps.ts";
import { requireCashier } from "../rulebook/order-guards.ts";
import { identitiesOf, type PaymentMutation } from "./payment-identities.ts";
import { OutdatedPayment, ruleError } from "../rulebook/rule-error.ts";
import { written, type Written } from "../store/save-version.ts";
import { ruleContext, serviceState } from "../rulebook/service-state.ts";
import { storeChanges, storedCheck } from "../store/store-changes.ts";
import type { UnappliedPayment } from "./unapplied-payment-store.ts";

/** What a terminal is told of a payment. */
export interface WrittenPayment extends Written {
  status: StoredOrder["snapshot"]["status"];
}

type Answer = Omit<OrderAnswer, "mutationId">;

/** Puts money on a check, or settles it: with what only the hub knows, the customer's credit and the fiscal number. */
export function takeMoney(
  deps: OrderDeps,
  tx: Tx,
  mutation: PaymentMutation,
  writer: Writer,
  credit: CreditAnswers,
): WrittenPayment {
  requireCashier(writer, "take_payment");
  if (identitiesOf(mutation).some(deps.unappliedPayments.isSettled)) {
    throw new HubError("ORDER_LOCKED", "this payment was settled by a manager and is not applied any more");
  }
  const context = ruleContext(deps, tx, writer);
  const taken = paymentsTaken(serviceState(deps, tx), mutation, context);
  if ("refusal" in taken) throw refused(deps, taken, mutation.posReference);
  const payments = requireCredit(deps, taken.payments, credit);
  const change = withPayments({ ...taken, payments }, mutation, context);
  const result = storeMoney(deps, tx, writer, change, () => fiscalOfPayment(deps, checkOf(taken.check), mutation));
  noteApplied(deps, tx, mutation, writer.userName);
  return result;
}

/** Stores a check with its money; `fiscal` is asked for where the money settles it. */
export function storeMoney(
  deps: OrderDeps,
  tx: Tx,
  writer: Writer,
  change: CheckChange,
  fiscal: () => FiscalPart,
): WrittenPayment {
  const { snapshot, kind } = change;
  const complete = kind === "paid" ? { ...snapshot, ...fiscal() } : snapshot;
  const stored = storeChanges(deps, tx, writer, { checks: [{ ...change, snapshot: complete }] });
  return { ...written(storedCheck(stored, snapshot.posReference)), status: snapshot.status };
}

/** A payment is applied: a retry of it is recognized, and what was kept of it is settled. */
function noteApplied(deps: OrderDeps, tx: Tx, mutation: PaymentMutation, by: string): void {
  deps.paymentIdentities.record(mutation);
  for (const identity of identitiesOf(mutation)) deps.unappliedPayments.settleIdentity(tx, identity, by);
}

/**
 * Takes a tender back while its check is not paid, or settles a kept payment whose money was given back. One that was taken
 * back before is answered as a duplicate.
 */
export function returnMoney(
  deps: OrderDeps,
  tx: Tx,
  mutation: TerminalMessageOf<"ORDER_TENDER_VOID">,
  writer: Writer,
): Answer {
  requireCashier(writer, "return_payment");
  const { tenderId, reason } = mutation;
  const posReference = deps.paymentIdentities.orderOf(tenderId);
  if (posReference === null) {
    const kept = deps.unappliedPayments.ofIdentity(tenderId);
    if (kept !== null) return returnKept(deps, tx, kept, { userName: writer.userName, reason });
    throw ruleError(deps.orders.get, { code: "NO_TENDER", values: { tenderId } });
  }
  const applied = apply(serviceState(deps, tx), { ...mutation, posReference }, ruleContext(deps, tx, writer));
  if ("refusal" in applied) throw refused(deps, applied, posReference);
  const [change] = applied.checks;
  if (change === undefined) return { ...stateOf(deps, posReference), duplicate: true };
  const stored = storeChanges(deps, tx, writer, applied);
  return { ...written(storedCheck(stored, posReference)), status: change.snapshot.status };
}

function refused(deps: OrderDeps, { refusal, isOutdated }: Refused, posReference: string): HubError {
  const error = ruleError(deps.orders.get, refusal, posReference);
  return isOutdated === true ? new OutdatedPayment(error.message) : error;
}

function returnKept(
  deps: OrderDeps,
  tx: Tx,
  { id, posReference, settledAt }: UnappliedPayment,
  { userName, reason }: { userName: string; reason: string },
): Answer {
  if (settledAt !== null) return { ...stateOf(deps, posReference), duplicate: true };
  const text = `given back: ${reason}`;
  deps.unappliedPayments.settle(tx, id, userName, text);
  tx.notify(["payments"], { kind: "payment_settled", level: "info", detail: { posReference, userName, text } });
  return stateOf(deps, posReference);
}

/** Where an order stands, for the answer to a payment that was applied before. */
export function stateOf(deps: OrderDeps, posReference: string): Answer {
  const stored = deps.orders.get(posReference);
  if (stored === null) return { posReference };
  const seq = deps.orders.seqOf(posReference);
  return { posReference, version: stored.version, seq, status: stored.snapshot.status };
}
