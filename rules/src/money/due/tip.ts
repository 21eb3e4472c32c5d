import { fromCents, proportionOf, toCents } from "../amounts.ts";
import { paidSince, type OpenTender } from "./paid-since.ts";

/**
 * A tip on top of what is paid from now on: a share of it, or an amount in cents. `before` are the payments that the check had
 * when the tip was chosen, so that one guest's tip is not asked for what another guest has paid.
 */
export type TipChoice = ({ percent: number } | { cents: number }) & { before: readonly string[] };

/** The shares that are one tap away. */
export const tipShares = [5, 10] as const;

/** What the tip of the next payment is a share of, in cents: all that is paid since the share was chosen. */
export function tippedAmount(choice: TipChoice | null, amount: number, tenders: readonly OpenTender[]): number {
  return choice !== null && "percent" in choice ? paidSince(tenders, choice.before).paid + amount : amount;
}

/** The tip of the next payment, in cents; `amount` is what that payment brings to the check: one of nothing is not made. */
export function tipOf(choice: TipChoice | null, amount: number, tenders: readonly OpenTender[]): number {
  if (choice === null || amount === 0) return 0;
  const wanted = "cents" in choice ? choice.cents : shareOf(tippedAmount(choice, amount, tenders), choice.percent);
  return Math.max(0, wanted - paidSince(tenders, choice.before).tips);
}

function shareOf(cents: number, percent: number): number {
  return toCents(proportionOf(fromCents(cents), percent, 100));
}
