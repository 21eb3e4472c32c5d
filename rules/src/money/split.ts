import { fromCents, toCents } from "./amounts.ts";
import { exact } from "./exact.ts";
import { lineDiscount } from "./pricing/discounts.ts";

/**
 * Divides an amount into `parts` equal parts, or in proportion to weights, so that they add up to the cent. Cents left over by
 * rounding down go to the parts that lost most, the first of equal ones first (largest remainder method). RangeError if there
 * is no part, or a weight is below 0 or not finite, or all are 0.
 */
export function splitAmount(amount: number, parts: number | readonly number[]): number[] {
  const weights = commonUnits(typeof parts === "number" ? equalWeights(parts) : parts);
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  if (sum === 0n) throw new RangeError("an amount is split into parts of which at least one has a weight above 0");
  const cents = BigInt(toCents(amount));
  const size = cents < 0n ? -cents : cents;
  const shares = weights.map((weight) => ({ cents: (size * weight) / sum, lost: (size * weight) % sum }));
  const remainder = Number(shares.reduce((rest, share) => rest - share.cents, size));
  const byLoss = shares.toSorted((one, other) => (one.lost === other.lost ? 0 : one.lost > other.lost ? -1 : 1));
  for (const share of byLoss.slice(0, remainder)) share.cents += 1n;
  return shares.map((share) => fromCents(Number(cents < 0n ? -share.cents : share.cents)));
}

/** The amounts of a line that a split divides. */
export interface LineAmounts {
  total?: number | undefined;
  taxAmount?: number | undefined;
  /** A percentage stays the same for every part. */
  discount?: unknown;
}

export interface LinePart {
  quantity: number;
  total?: number;
  taxAmount?: number;
  discount?: { amount: number };
}

/**
 * Splits a line into parts with these quantities. Their totals, taxes and fixed discounts add up to the line's to the cent. The
 * quantities must cover all that the line charges for, including the part that stays on the check.
 */
export function splitLine(line: LineAmounts, quantities: readonly number[]): LinePart[] {
  const { total, taxAmount } = line;
  const fixed = lineDiscount(line, "amount");
  const totals = total === undefined ? [] : splitAmount(total, quantities);
  const taxes = taxAmount === undefined ? [] : splitAmount(taxAmount, quantities);
  const discounts = fixed === 0 ? [] : splitAmount(fixed, quantities);
  return quantities.map((quantity, index) => {
    const [partTotal, partTax, amount] = [totals[index], taxes[index], discounts[index]];
    return {
      quantity,
      ...(partTotal !== undefined && { total: partTotal }),
      ...(partTax !== undefined && { taxAmount: partTax }),
      ...(amount !== undefined && { discount: { amount } }),
    };
  });
}

function equalWeights(parts: number): number[] {
  if (!Number.isSafeInteger(parts) || parts < 1) throw new RangeError(`${parts} is no number of parts`);
  return Array.from({ length: parts }, () => 1);
}

/** Converts weights to whole multiples of a common unit. */
function commonUnits(weights: readonly number[]): bigint[] {
  const parsed = weights.map((weight) => exact(weight, "weight"));
  if (parsed.some(({ numerator }) => numerator < 0n)) throw new RangeError("a weight is below 0");
  const unit = parsed.reduce((largest, { denominator }) => (denominator > largest ? denominator : largest), 1n);
  return parsed.map(({ numerator, denominator }) => numerator * (unit / denominator));
}
