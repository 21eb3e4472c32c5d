import type { Adjustment } from "@comanda/protocol";
import { fromCents, splitAmount, toCents, type LineDiscount } from "@comanda/rules";
import { withLines } from "./edit-content.ts";
import { linesOf, type OrderContent } from "./order-content.ts";
import { repriceLine, type PricedMenu } from "./reprice-line.ts";

/** Takes a discount off the price of a line, before taxes, with its reason; null restores the full price. */
export function discountLine(
  content: OrderContent,
  lineId: string,
  discount: LineDiscount | null,
  menu: PricedMenu,
  reason?: string,
): OrderContent {
  const lines = linesOf(content).map((line) => {
    if (line.id !== lineId) return line;
    const { discount: _, discountReason: __, ...plain } = line;
    const applied = discount !== null && { discount, ...(reason !== undefined && { discountReason: reason }) };
    return repriceLine({ ...plain, ...applied }, content.orderType ?? "dine_in", menu);
  });
  return withLines(content, lines);
}

/**
 * Takes a discount off the whole check, after taxes: an amount, or a percentage of the lines' cost. It is rounded to whole
 * cents and limited to what the check still costs; without effect the content is returned unchanged.
 */
export function discountCheck(content: OrderContent, discount: LineDiscount, reason: string): OrderContent {
  const lines = withLines({ ...content, adjustments: [] }, linesOf(content)).totals?.total ?? 0;
  const total = withLines(content, linesOf(content)).totals?.total ?? 0;
  const requested =
    "percent" in discount ? (splitAmount(lines, [discount.percent, 100 - discount.percent])[0] ?? 0) : discount.amount;
  const amount = Math.min(fromCents(toCents(requested)), total);
  if (amount <= 0) return content;
  const adjustment: Adjustment = { kind: "discount", amount: -amount, reason };
  return withLines({ ...content, adjustments: [...(content.adjustments ?? []), adjustment] }, linesOf(content));
}

/** Removes discounts of the whole check. Discounts of single lines stay. */
export function withoutDiscounts(content: OrderContent): OrderContent {
  const adjustments = (content.adjustments ?? []).filter(({ kind }) => kind !== "discount");
  return withLines({ ...content, adjustments }, linesOf(content));
}
