import { fromCents, toCents } from "../amounts.ts";
import { splitAmount } from "../split.ts";

/** A part of a check, in cents, and what of it is not paid yet. */
export interface Part {
  amount: number;
  left: number;
}

/** In equal parts, or somebody pays an amount (in cents) and the rest remains. */
export type Division = { count: number } | { first: number };

/**
 * `total` divided into parts that add up to the cent. What is paid fills them one after the other, so that equal parts are
 * the same on every device, whichever took the first ones.
 */
export function partsOf(total: number, division: Division, paid: number): Part[] {
  let rest = Math.max(0, paid);
  return sharesOf(total, division).map((amount) => {
    const filled = Math.min(amount, rest);
    rest -= filled;
    return { amount, left: amount - filled };
  });
}

/** The check may have become less than the amount that was named. */
function sharesOf(total: number, division: Division): number[] {
  if ("count" in division) return splitAmount(fromCents(total), division.count).map(toCents);
  const first = Math.min(division.first, total);
  return [first, total - first];
}
