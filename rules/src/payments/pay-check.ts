import type { Payment, Snapshot, Tender } from "@comanda/protocol";
import { balanceOf, dueCents, openTenders, paidSoFar } from "../money/due/amount-due.ts";
import { paymentOf } from "./brought-payments.ts";
import { hasChargedLines } from "./charged-lines.ts";
import type { PaymentMethods } from "./payment-methods.ts";
import { amountOf, coversDue, excessOf, settleAmounts, type AmountRefusal } from "./settle-amounts.ts";

type PaidCheck = Pick<Snapshot, "lines" | "tenders" | "totals">;

/** Why a payment is rejected. `before` is the amount already paid by tenders. */
export type PaymentRefusal =
  | { code: "NOTHING_CHARGED"; values: object }
  | { code: "NOT_COVERED"; values: { paid: number; total: number; before: number } }
  | { code: "TOO_MUCH"; values: { paid: number; total: number; before: number } }
  | Extract<AmountRefusal, { code: "WRONG_TENDERED" }>;

/** Why a tender is rejected. `fittedBefore`: it fitted until other payments arrived or the check got cheaper. */
export type TenderRefusal =
  | { code: "NOTHING_CHARGED"; values: object }
  | { code: "MORE_THAN_DUE"; values: { due: number; fittedBefore: boolean } }
  | Extract<AmountRefusal, { code: "WRONG_TENDERED" }>;

/** Returns the payments of an ORDER_PAY as they settle a check with its tenders, or why they do not. */
export function paymentsForCheck(
  check: PaidCheck,
  payments: readonly Payment[],
  methods: PaymentMethods,
): { payments: Payment[] } | { refusal: PaymentRefusal } {
  if (!hasChargedLines(check)) return { refusal: { code: "NOTHING_CHARGED", values: {} } };
  const due = balanceOf(check);
  const values = { paid: amountOf(payments), total: check.totals.total, before: paidSoFar(check) };
  if (!coversDue(payments, due)) return { refusal: { code: "NOT_COVERED", values } };
  const settled = settleAmounts(payments, due, methods);
  if ("payments" in settled) return settled;
  const { refusal } = settled;
  return { refusal: refusal.code === "NO_CHANGE" ? { code: "TOO_MUCH", values } : refusal };
}

/**
 * Returns the payment of an ORDER_TENDER as it settles a part of a check, or why it does not. `shownDue` is the amount due when
 * the money was taken: only the excess over it was given as change.
 */
export function tenderForCheck(
  check: PaidCheck,
  payments: readonly Payment[],
  methods: PaymentMethods,
  shownDue?: number,
): { payments: Payment[] } | { refusal: TenderRefusal } {
  if (!hasChargedLines(check)) return { refusal: { code: "NOTHING_CHARGED", values: {} } };
  const due = balanceOf(check);
  const wasDue = shownDue !== undefined && shownDue > 0 ? shownDue : null;
  const settled = settleAmounts(payments, wasDue ?? due, methods);
  if ("refusal" in settled && settled.refusal.code === "WRONG_TENDERED") return { refusal: settled.refusal };
  const fitted = "payments" in settled;
  if (fitted && due > 0 && excessOf(settled.payments, due) === 0) return settled;
  const fittedBefore =
    (fitted && wasDue !== null) || (paidSoFar(check) > 0 && excessOf(payments, check.totals.total) === 0);
  return { refusal: { code: "MORE_THAN_DUE", values: { due, fittedBefore } } };
}

/** Returns whether the tenders of a check cover its total. */
export function isCovered(check: Pick<Snapshot, "tenders" | "totals">): boolean {
  return dueCents(check) <= 0;
}

/** What settles a check. `paymentId` identifies the ORDER_PAY of the payments. */
export interface Settlement {
  /** All tenders of the check, including voided ones. */
  tenders: readonly Tender[];
  /** The payments in addition to the tenders. */
  payments: readonly Payment[];
  paymentId?: string | undefined;
}

/** Returns a check as settled by its tenders and these payments. */
export function settledCheck(check: Snapshot, { tenders, payments, paymentId }: Settlement): Snapshot {
  // Drops a `paymentId` that a terminal wrote, which identifies no payment of this hub.
  const { paymentId: _, ...content } = check;
  return {
    ...content,
    status: "paid",
    ...(paymentId !== undefined && { paymentId }),
    ...(tenders.length > 0 && { tenders: [...tenders] }),
    payments: [...openTenders({ tenders: [...tenders] }).map(paymentOf), ...payments],
  };
}
