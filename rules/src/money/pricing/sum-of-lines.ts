import type { Adjustment } from "@comanda/protocol";
import { add, exact, negate, roundTo, sumOf, toNumber, type Exact } from "../exact.ts";

export interface LineToSum {
  total?: number | undefined;
  taxAmount?: number | undefined;
  voided?: boolean | undefined;
}

/**
 * Returns the sum of an order's stored lines and adjustments. Voided lines do not count; the total of a partly voided line
 * already excludes its void. Amounts have up to four decimals.
 */
export function sumOfLines(
  lines: readonly LineToSum[],
  adjustments: readonly Pick<Adjustment, "amount">[] = [],
): { subtotal: number; tax: number; total: number } {
  const counted = lines.filter((line) => line.voided !== true);
  const total = sumOf(counted.map((line) => exact(line.total ?? 0)));
  const tax = sumOf(counted.map((line) => exact(line.taxAmount ?? 0)));
  const adjusted = sumOf(adjustments.map(({ amount }) => exact(amount)));
  return { subtotal: amountOf(add(total, negate(tax))), tax: amountOf(tax), total: amountOf(add(total, adjusted)) };
}

function amountOf(value: Exact): number {
  return toNumber(roundTo(4, value));
}
