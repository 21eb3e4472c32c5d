import { fromCents, proportionOf, toCents } from "../amounts.ts";

/**
 * A tip on top of what is paid from now on: a share of it, or an amount. `paid` and `tipped` are what the check had when the
 * tip was chosen, in cents, so that one guest's tip is not asked for what another guest has paid.
 */
export type TipChoice = { percent: number; paid: number; tipped: number } | { cents: number; tipped: number };

/** The shares that are one tap away. */
export const tipShares = [5, 10] as const;

/** What the tip of the next payment is a share of, in cents: all that is paid since the share was chosen. */
export function tippedAmount(choice: TipChoice | null, amount: number, { paid }: { paid: number }): number {
  return choice !== null && "percent" in choice ? paid - choice.paid + amount : amount;
}

/** The tip of the next payment, in cents; `amount` is what that payment brings to the check: one of nothing is not made. */
export function tipOf(choice: TipChoice | null, amount: number, soFar: { paid: number; tipped: number }): number {
  if (choice === null || amount === 0) return 0;
  const tippedSince = soFar.tipped - choice.tipped;
  const wanted = "cents" in choice ? choice.cents : shareOf(tippedAmount(choice, amount, soFar), choice.percent);
  return Math.max(0, wanted - tippedSince);
}

function shareOf(cents: number, percent: number): number {
  return toCents(proportionOf(fromCents(cents), percent, 100));
}
