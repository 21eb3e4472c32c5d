import type { BackOfficeTax, Rounding, StoredLine } from "@comanda/protocol";
import { costOf, proportionOf, subtract } from "../money/amounts.ts";
import { extrasOf } from "../money/pricing/extras-of.ts";
import { lineTotal } from "../money/pricing/line-total.ts";
import { priceLine } from "../money/pricing/price-line.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";

/** The rules by which the lines of a check are priced. */
export interface ValueRules {
  orderType: string;
  taxes: readonly BackOfficeTax[];
  rounding?: Rounding | undefined;
}

/** Returns what a quantity of a line cost or would have cost, void or not. */
export function lineValue(line: StoredLine, quantity: number, rules: ValueRules): number {
  // `total` covers what is not void. If the whole line became void, it covers what was not void before.
  const priced = subtract(line.quantity, line.voidedQuantity ?? 0);
  if (line.total !== undefined && priced > 0) return proportionOf(line.total, quantity, priced);
  return fullPrice(line, quantity, rules);
}

/** Returns the value of a quantity of a line without the line's own discount. */
export function listValue(line: StoredLine, quantity: number, rules: ValueRules): number {
  return discountNumbers(line).length > 0 ? fullPrice(line, quantity, rules) : lineValue(line, quantity, rules);
}

/** Returns how much the line's own discount took off; 0 if it has none. */
export function lineDiscountValue(line: StoredLine, rules: ValueRules): number {
  if (discountNumbers(line).length === 0) return 0;
  const quantity = chargedQuantity(line);
  if (quantity === 0) return 0;
  return Math.max(0, subtract(fullPrice(line, quantity, rules), lineTotal(line)));
}

/** Returns the positive numbers in a line's discount, whatever its form. If there are any, the line is discounted. */
export function discountNumbers({ discount }: StoredLine): number[] {
  if (typeof discount !== "object" || discount === null) return [];
  return Object.values(discount).filter((value) => typeof value === "number" && value > 0);
}

/** Returns the price of a quantity without the line's discount, with taxes as the menu charges them. */
function fullPrice(line: StoredLine, quantity: number, { orderType, taxes, rounding }: ValueRules): number {
  const { unitPrice = 0, taxIds = [] } = line;
  const charged = taxes.filter(({ id }) => taxIds.some((taxId) => String(taxId) === String(id)));
  try {
    return priceLine({ unitPrice, quantity, modifiers: extrasOf(line), taxes: charged }, { orderType, rounding }).total;
  } catch {
    // A line of another system may have numbers that cannot be priced.
    return costOf(unitPrice, quantity);
  }
}
