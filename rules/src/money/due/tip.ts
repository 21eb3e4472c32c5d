import { fromCents, proportionOf, toCents } from "../amounts.ts";
import { paidSince, type OpenTender } from "./paid-since.ts";

/**
 * A tip on the payments from now on: a percentage, or an amount in cents. `before` are the payments at the time of the choice,
 * so that one guest's tip is not computed on what another guest has paid.
 */
export type TipChoice = ({ percent: number } | { cents: number }) & { before: readonly string[] };

/** The percentages offered as buttons. */
export const tipShares = [5, 10] as const;

/** Returns the amount in cents that the tip is a percentage of: everything paid since the choice, plus the next payment. */
export function tippedAmount(choice: TipChoice | null, amount: number, tenders: readonly OpenTender[]): number {
  return choice !== null && "percent" in choice ? paidSince(tenders, choice.before).paid + amount : amount;
}

/** Returns the tip of the next payment in cents; 0 if `amount`, the payment itself, is 0. */
export function tipOf(choice: TipChoice | null, amount: number, tenders: readonly OpenTender[]): number {
  if (choice === null || amount === 0) return 0;
  const wholeTip = "cents" in choice ? choice.cents : shareOf(tippedAmount(choice, amount, tenders), choice.percent);
  return Math.max(0, wholeTip - paidSince(tenders, choice.before).tips);
}

function shareOf(cents: number, percent: number): number {
  return toCents(proportionOf(fromCents(cents), percent, 100));
}
