import { fromCents, proportionOf, subtract, sum, toCents } from "../money/amounts.ts";
import { lineTotal } from "../money/pricing/line-total.ts";
import { splitAmount } from "../money/split.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";

/** What a line of a paid check says of its quantities and its price. */
export interface SoldLine {
  id: string;
  quantity: number;
  voided?: boolean | undefined;
  voidedQuantity?: number | undefined;
  unitPrice?: number | undefined;
  total?: number | undefined;
}

/** So much of a line. */
export interface LineQuantity {
  lineId: string;
  quantity: number;
}

/** A line of which something can still be given back, and what all of that costs. */
export interface RefundableLine {
  lineId: string;
  quantity: number;
  amount: number;
}

/** What was sold: `totals.total` is what its guests paid, adjustments included. */
export interface Sale {
  lines: readonly SoldLine[];
  totals: { total: number };
}

/**
 * What of a sale can still be given back: of each line what was sold, less what is void and what was given back before.
 * Adjustments of the whole check, such as a discount, are shared by the lines.
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

/**
 * What so much of these lines costs, to the cent. However a line is divided over several refunds, they add up to what it
 * cost.
 */
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

/** The part that so much of a line has of an amount of all of it, to the cent; over all refunds they add up to the amount. */
export function refundedPart(
  amount: number,
  line: SoldLine,
  before: readonly LineQuantity[],
  quantity: number,
): number {
  const sold = chargedQuantity(line);
  if (sold <= 0) return 0;
  const taken = quantityOf(before, line.id);
  const upTo = (part: number): number => proportionOf(amount, part, sold);
  return subtract(upTo(sum([taken, quantity])), upTo(taken));
}

function quantityOf(lines: readonly LineQuantity[], lineId: string): number {
  return sum(lines.filter((each) => each.lineId === lineId).map(({ quantity }) => quantity));
}

/** What each line cost its guests: its own total, and its part of what was adjusted on the whole check. */
function shareTotal({ lines, totals }: Sale): Map<string, number> {
  const sold = lines.filter((line) => line.voided !== true);
  const amounts = sold.map((line) => fromCents(toCents(lineTotal(line))));
  const adjusted = subtract(fromCents(toCents(totals.total)), sum(amounts));
  const weights = amounts.map((amount) => Math.max(0, amount));
  const parts = weights.some((weight) => weight > 0) ? splitAmount(adjusted, weights) : [];
  return new Map(sold.map(({ id }, index) => [id, sum([amounts[index] ?? 0, parts[index] ?? 0])]));
}
