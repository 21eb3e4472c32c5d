import type { Adjustment } from "@comanda/protocol";
import { fromCents, toCents } from "../amounts.ts";
import { add, sumOf, ZERO } from "../exact.ts";
import {
  exactPrice,
  presentPrice,
  roundPrice,
  type LineToPrice,
  type Price,
  type PricedLine,
  type PricingRules,
  type TaxAmount,
} from "./price-line.ts";

/** `tax` is the sum of `taxes`; `total` is the sum of `subtotal`, `tax` and the adjustments. */
export interface PricedOrder {
  /** One per input line, including voided ones, which do not count in the sums. */
  lines: PricedLine[];
  subtotal: number;
  tax: number;
  /** The charged amount of each tax, in order of first appearance. */
  taxes: TaxAmount[];
  /**
   * The difference to the sum of the line totals if the order is rounded as a whole; otherwise 0. Stored as an adjustment of
   * kind `rounding`, it makes lines and adjustments add up to the total.
   */
  rounding: number;
  total: number;
}

/**
 * Prices the lines of an order and adds its adjustments (discounts are negative), without the `rounding` of an earlier call.
 * Rounded per line, the rounded lines are summed; per order, the exact lines. Throws as `priceLine`.
 */
export function priceOrder(
  lines: readonly (LineToPrice & { voided?: boolean | undefined })[],
  rules: PricingRules,
  adjustments: readonly Pick<Adjustment, "amount">[] = [],
): PricedOrder {
  const exactPrices = lines.map((line) => exactPrice(line, rules));
  const roundedPrices = exactPrices.map(roundPrice);
  const countedOf = (prices: readonly Price[]): Price =>
    sumOfPrices(prices.filter((_, i) => lines[i]?.voided !== true));
  const linesSum = presentPrice(countedOf(roundedPrices));
  const { subtotal, tax, taxes, total } =
    rules.rounding === "order" ? presentPrice(roundPrice(countedOf(exactPrices))) : linesSum;
  const adjusted = adjustments.reduce((cents, { amount }) => cents + toCents(amount), 0);
  return {
    lines: roundedPrices.map(presentPrice),
    subtotal,
    tax,
    taxes,
    rounding: fromCents(toCents(total) - toCents(linesSum.total)),
    total: fromCents(toCents(total) + adjusted),
  };
}

/** Sums prices, with one amount per tax. */
function sumOfPrices(prices: readonly Price[]): Price {
  const taxes = new Map<string, Price["taxes"][number]>();
  for (const tax of prices.flatMap((price) => price.taxes)) {
    const key = String(tax.id);
    taxes.set(key, { ...tax, amount: add(taxes.get(key)?.amount ?? ZERO, tax.amount) });
  }
  return { charged: sumOf(prices.map((price) => price.charged)), taxes: [...taxes.values()] };
}
