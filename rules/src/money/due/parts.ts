import { fromCents, toCents } from "../amounts.ts";
import { splitAmount } from "../split.ts";

/** A part of a check, in cents, and the unpaid rest of it. */
export interface Part {
  amount: number;
  left: number;
}

/** Either equal parts, or a first part of a given amount (in cents) and the rest. */
export type Division = { count: number } | { first: number };

/**
 * Divides `total` into parts that add up to the cent. The paid amount fills the parts in order, so that every device shows the
 * same parts, regardless of which device took the payments.
 */
export function partsOf(total: number, division: Division, paid: number): Part[] {
  let rest = Math.max(0, paid);
  return sharesOf(total, division).map((amount) => {
    const filled = Math.min(amount, rest);
    rest -= filled;
    return { amount, left: amount - filled };
  });
}

/** The check may have become cheaper than the requested first part. */
function sharesOf(total: number, division: Division): number[] {
  if ("count" in division) return splitAmount(fromCents(total), division.count).map(toCents);
  const first = Math.min(division.first, total);
  return [first, total - first];
}
