import type { BackOfficeTax, Rounding, StoredLine } from "@comanda/protocol";
import { costOf, proportionOf, subtract } from "../money/amounts.ts";
import { extrasOf } from "../money/pricing/extras-of.ts";
import { lineTotal } from "../money/pricing/line-total.ts";
import { priceLine } from "../money/pricing/price-line.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";

/** How the lines of a check are priced. */
export interface ValueRules {
  orderType: string;
  taxes: readonly BackOfficeTax[];
  rounding?: Rounding | undefined;
}

/** What so many of a line would have cost its guests, void or not. */
export function lineValue(line: StoredLine, quantity: number, rules: ValueRules): number {
  // `total` is for what is not void, or, of a line that became void as a whole, for what was not before.
  const priced = subtract(line.quantity, line.voidedQuantity ?? 0);
  if (line.total !== undefined && priced > 0) return proportionOf(line.total, quantity, priced);
  return fullPrice(line, quantity, rules);
}

/** What so many of a line are worth by the menu: what a discount of the line would have taken off is part of it. */
export function listValue(line: StoredLine, quantity: number, rules: ValueRules): number {
  return discountNumbers(line).length > 0 ? fullPrice(line, quantity, rules) : lineValue(line, quantity, rules);
}

/** What a discount of the line itself took off it; 0 where it has none. */
export function lineDiscountValue(line: StoredLine, rules: ValueRules): number {
  if (discountNumbers(line).length === 0) return 0;
  const quantity = chargedQuantity(line);
  if (quantity === 0) return 0;
  return Math.max(0, subtract(fullPrice(line, quantity, rules), lineTotal(line)));
}

/** The numbers above 0 of a line's discount, in whatever form its writer has them: with one of them it is discounted. */
export function discountNumbers({ discount }: StoredLine): number[] {
  if (typeof discount !== "object" || discount === null) return [];
  return Object.values(discount).filter((value) => typeof value === "number" && value > 0);
}

/** So many at the line's own price, without its discount; taxes as the menu charges them. */
function fullPrice(line: StoredLine, quantity: number, { orderType, taxes, rounding }: ValueRules): number {
  const { unitPrice = 0, taxIds = [] } = line;
  const charged = taxes.filter(({ id }) => taxIds.some((taxId) => String(taxId) === String(id)));
  try {
    return priceLine({ unitPrice, quantity, modifiers: extrasOf(line), taxes: charged }, { orderType, rounding }).total;
  } catch {
    // Another system's line: its numbers are none of ours.
    return costOf(unitPrice, quantity);
  }
}
