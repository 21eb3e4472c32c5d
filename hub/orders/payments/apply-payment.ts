import {
  HUB_ORIGIN,
  isActive,
  type Payment,
  type StoredOrder,
  type Tender,
  type TerminalSnapshot,
} from "@comanda/protocol";
import {
  amountOf,
  balanceOf,
  cutToDue,
  excessOf,
  hasChargedLines,
  settleAmounts,
  subtract,
  sum,
  toCents,
  valueAtOwnRates,
  withTenders,
} from "@comanda/rules";
import type { Tx } from "../../changes/change.ts";
import { explainedError, HubError } from "../../platform/errors.ts";
import { isoTime } from "../../platform/world.ts";
import { type ApplyDeps, applyMutation } from "../rulebook/apply-mutation.ts";
import { CREDIT_GRANTED } from "./credit-rules.ts";
import { checkOf, fiscalOfUnapplied } from "./fiscal-rules.ts";
import type { Writer } from "../writer.ts";
import { lockedError, requireNoOtherLease } from "../rulebook/order-guards.ts";
import { ruleError } from "../rulebook/rule-error.ts";
import type { HubContext } from "../rulebook/rulebook.ts";
import type { OrderStore } from "../store/order-store.ts";
import { sentenceOfTendered } from "../rulebook/payment-refusal.ts";
import { type PaymentDeps, storeMoney, type WrittenPayment } from "./payments.ts";
import type { UnappliedPayment } from "./unapplied-payment-store.ts";

/** The result of a payment that a manager applied; amounts are in the order's currency. */
export interface AppliedPayment extends WrittenPayment {
  /** The part that settles the check. */
  applied: number;
  /** The amount that is left to collect. */
  due: number;
  /** The amount to give back: what the check does not need, and tips of payments that settle nothing. */
  giveBack: number;
}

/**
 * Applies a kept payment to its check. Creates the check from the snapshot in the payment if the hub does not have it. An
 * uncovered amount stays due; an excess is change or is given back. Throws a HubError and changes nothing if the check cannot
 * take a payment now.
 */
export function applyPayment(
  deps: PaymentDeps & ApplyDeps,
  tx: Tx,
  unapplied: UnappliedPayment,
  manager: string,
): AppliedPayment {
  const { rulebook, orders, orderWriter, paymentIdentities } = deps;
  const writer: Writer = { terminalId: HUB_ORIGIN, userName: manager, role: "manager" };
  // With this terminal id, a lease of the payment's own terminal is no conflict.
  const context = rulebook.context(tx, { ...writer, terminalId: unapplied.terminalId });
  if (context.session?.active === false) throw ruleError(orders.get, { code: "NO_SESSION", values: {} });
  const { mutation } = unapplied;
  if (mutation === null) {
    throw explainedError("VALIDATION_ERROR", "payment_unreadable");
  }
  requireNoOtherLease(context, unapplied.posReference);
  const present = orders.get(unapplied.posReference);
  if (present !== null && !isActive(present.snapshot.status)) throw lockedError(present);
  if (!hasChargedLines({ lines: present?.snapshot.lines ?? contentOf(orders, unapplied).lines ?? [] })) {
    throw explainedError("VALIDATION_ERROR", "order_without_lines", { posReference: unapplied.posReference });
  }

  const stored = present ?? createOrder(deps, tx, unapplied, writer, context.newId());
  const due = Math.max(0, balanceOf(stored.snapshot));
  const settled = settlePayments(context, unapplied.payments, due);
  const payments = deps.requireCredit(
    settled.filter((payment) => payment.amount !== 0),
    CREDIT_GRANTED,
  );
  const tenders = asTenders(unapplied, payments, context.newId);
  paymentIdentities.recordTenders(unapplied.posReference, tenders.slice(1));
  const change = withTenders(stored, tenders, { now: tx.now, paidBy: tenders.at(-1)?.takenBy ?? manager });
  const result = storeMoney(orderWriter, tx, writer, change, () =>
    fiscalOfUnapplied(deps.fiscal, checkOf(stored), mutation),
  );
  paymentIdentities.record(mutation);
  const applied = amountOf(payments);
  const tipsBack = settled.filter((payment) => payment.amount === 0).map(({ tip = 0 }) => tip);
  return {
    ...result,
    applied,
    due: Math.max(0, subtract(due, applied)),
    // If the order was created from the payment, any excess was given as change at that time.
    giveBack: present === null ? 0 : sum([giveBackOf(orders, unapplied, due), ...tipsBack]),
  };
}

/** Returns the check as the terminal had it when it was paid. Throws ORDER_LOCKED or NOT_FOUND if there is none. */
function contentOf(orders: OrderStore, { mutation, posReference, userName }: UnappliedPayment): TerminalSnapshot {
  if (orders.wasRemoved(posReference)) {
    throw explainedError("ORDER_LOCKED", "order_discarded", { posReference });
  }
  const snapshot = mutation?.snapshot;
  if (snapshot !== undefined) return { ...snapshot, staffName: snapshot.staffName ?? userName };
  throw explainedError("NOT_FOUND", "payment_without_order", { posReference });
}

function createOrder(
  deps: ApplyDeps,
  tx: Tx,
  unapplied: UnappliedPayment,
  writer: Writer,
  mutationId: string,
): StoredOrder {
  const { posReference } = unapplied;
  // An additional check, because the table may have other guests by now.
  const content = { posReference, baseVersion: 0, snapshot: contentOf(deps.orders, unapplied), additionalCheck: true };
  const creation = { type: "ORDER_UPSERT", mutationId, ...content } as const;
  applyMutation(deps, tx, creation, writer, { isOnAnyTable: true });
  const created = deps.orders.get(posReference);
  if (created === null) throw new Error(`order ${posReference} was not stored`);
  return created;
}

/** Converts payments to tenders. The first keeps the payment's identity, by which a retry is recognized. */
function asTenders(
  { identity, terminalId, userName: takenBy, takenAt, at, mutation }: UnappliedPayment,
  payments: readonly Payment[],
  newId: () => string,
): Tender[] {
  return payments.map((payment, index) => ({
    ...payment,
    tenderId: index === 0 ? identity : newId(),
    takenAt: takenAt ?? isoTime(at),
    takenBy,
    terminalId,
    ...(mutation?.fiscal !== undefined && { fiscal: mutation.fiscal }),
  }));
}

/** Returns the payments as they settle `due`. Without cash to give change from, they are reduced to `due`. */
function settlePayments({ menu }: HubContext, payments: readonly Payment[], due: number): Payment[] {
  const valued = valueAtOwnRates(payments, menu?.currencies);
  const result = settleAmounts(valued, due, menu?.paymentMethods ?? null);
  if ("payments" in result) return result.payments;
  if (result.refusal.code === "NO_CHANGE") return cutToDue(valued, due);
  throw new HubError("VALIDATION_ERROR", sentenceOfTendered(result.refusal));
}

/** Returns the excess over `due`, less the excess at the time of the payment, which was given as change then. */
function giveBackOf(orders: OrderStore, { payments, mutation, posReference }: UnappliedPayment, due: number): number {
  const excess = excessOf(payments, due);
  if (excess === 0 || mutation === null) return 0;
  const baseVersion = mutation.type === "ORDER_PAY" ? mutation.baseVersion : 0;
  const totals = mutation.snapshot?.totals ?? orders.versionBody(posReference, baseVersion)?.snapshot.totals;
  const changeThen = totals === undefined ? 0 : excessOf(payments, totals.total);
  const remaining = subtract(excess, changeThen);
  return toCents(remaining) > 0 ? remaining : 0;
}
