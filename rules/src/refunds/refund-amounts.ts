import { fromCents, proportionOf, subtract, sum, toCents } from "../money/amounts.ts";
import { lineTotal } from "../money/pricing/line-total.ts";
import { splitAmount } from "../money/split.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";

/** The quantities and price of a line of a paid check. */
export interface SoldLine {
  id: string;
  quantity: number;
  voided?: boolean | undefined;
  voidedQuantity?: number | undefined;
  unitPrice?: number | undefined;
  total?: number | undefined;
}

/** A quantity of a line. */
export interface LineQuantity {
  lineId: string;
  quantity: number;
}

/** A line with the quantity that can still be refunded, and the price of that quantity. */
export interface RefundableLine {
  lineId: string;
  quantity: number;
  amount: number;
}

/** A sale; `totals.total` is what the guests paid, including adjustments. */
export interface Sale {
  lines: readonly SoldLine[];
  totals: { total: number };
}

/**
 * Returns what can still be refunded of a sale: for each line, the sold quantity less void and earlier refunds. Adjustments of
 * the whole check, such as a discount, are distributed over the lines.
 */
export function refundableLines(sale: Sale, before: readonly LineQuantity[] = []): RefundableLine[] {
  const shares = shareTotal(sale);
  return sale.lines.flatMap((line) => {
    const quantity = subtract(chargedQuantity(line), quantityOf(before, line.id));
    if (quantity <= 0) return [];
    const amount = amountOf(line, shares, before, quantity);
    return [{ lineId: line.id, quantity, amount }];
  });
}

/** Returns the cost of line quantities, to the cent. Over several refunds of a line, the amounts add up to its cost. */
export function refundAmount(
  sale: Sale,
  chosen: readonly LineQuantity[],
  before: readonly LineQuantity[] = [],
): number {
  const shares = shareTotal(sale);
  return sum(
    chosen.map(({ lineId, quantity }) => {
      const line = sale.lines.find(({ id }) => id === lineId);
      return line === undefined ? 0 : amountOf(line, shares, before, quantity);
    }),
  );
}

function amountOf(
  line: SoldLine,
  shares: ReadonlyMap<string, number>,
  before: readonly LineQuantity[],
  quantity: number,
): number {
  return refundedPart(shares.get(line.id) ?? 0, line, before, quantity);
}

/** Returns the part of a line's amount for a quantity, to the cent. Over all refunds, the parts add up to the amount. */
export function refundedPart(
  amount: number,
  line: SoldLine,
  before: readonly LineQuantity[],
  quantity: number,
): number {
  const sold = chargedQuantity(line);
  if (sold <= 0) return 0;
  const refunded = quantityOf(before, line.id);
  const upTo = (part: number): number => proportionOf(amount, part, sold);
  return subtract(upTo(sum([refunded, quantity])), upTo(refunded));
}

function quantityOf(lines: readonly LineQuantity[], lineId: string): number {
  return sum(lines.filter((each) => each.lineId === lineId).map(({ quantity }) => quantity));
}

/** Returns what each line cost the guests: its total, plus its part of the check's adjustments. */
function shareTotal({ lines, totals }: Sale): Map<string, number> {
  const sold = lines.filter((line) => line.voided !== true);
  const amounts = sold.map((line) => fromCents(toCents(lineTotal(line))));
  const adjusted = subtract(fromCents(toCents(totals.total)), sum(amounts));
  const weights = amounts.map((amount) => Math.max(0, amount));
  const parts = weights.some((weight) => weight > 0) ? splitAmount(adjusted, weights) : [];
  return new Map(sold.map(({ id }, index) => [id, sum([amounts[index] ?? 0, parts[index] ?? 0])]));
}
