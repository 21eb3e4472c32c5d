import type { Adjustment } from "@comanda/protocol";
import { fromCents, priceLine, priceOrder, sum, toCents } from "@comanda/rules";
import { totalsOfLines } from "./merge-totals.ts";
import { linesOf, type OrderContent, type OrderLine } from "./order-content.ts";
import { lineToPrice, type PricedMenu } from "./reprice-line.ts";

/** How much a part of a split line may differ from the price of its quantity, in cents. */
const SPLIT_CENTS = 2;

/**
 * Replaces the adjustment of kind `rounding` by the one that the lines need if the menu rounds whole orders. Returns the
 * content unchanged without such a menu, or without lines.
 */
export function roundOrder(content: OrderContent, menu: PricedMenu | null): OrderContent {
  if (menu?.rounding !== "order" || content.lines === undefined) return content;
  const amount = roundingOf(content, menu);
  const former = roundingsOf(content);
  if (former.length === (amount === 0 ? 0 : 1) && (former[0]?.amount ?? 0) === amount) return content;
  const roundings: Adjustment[] = amount === 0 ? [] : [{ kind: "rounding", amount }];
  return withAdjustments(content, [...unroundedOf(content), ...roundings]);
}

export function roundingsOf({ adjustments = [] }: OrderContent): Adjustment[] {
  return adjustments.filter(({ kind }) => kind === "rounding");
}

/** Returns the adjustments that are not roundings of the whole order. */
export function unroundedOf({ adjustments = [] }: OrderContent): Adjustment[] {
  return adjustments.filter(({ kind }) => kind !== "rounding");
}

/** Replaces the adjustments, and updates the total. */
export function withAdjustments(content: OrderContent, adjustments: Adjustment[] = []): OrderContent {
  const { totals, adjustments: former = [] } = content;
  const changes = [...adjustments.map(({ amount }) => amount), ...former.map(({ amount }) => -amount)];
  return { ...content, adjustments, ...(totals && { totals: { ...totals, total: sum([totals.total, ...changes]) } }) };
}

function roundingOf(content: OrderContent, menu: PricedMenu): number {
  const rules = { orderType: content.orderType ?? "dine_in", rounding: menu.rounding };
  const exact = linesOf(content).flatMap((line) => {
    const toPrice = lineToPrice(line, menu);
    // A line that today's taxes would price differently keeps its amounts: PRICE-24.
    return toPrice !== null && isPricedSo(line, priceLine(toPrice, rules).total) ? [{ line, toPrice }] : [];
  });
  const { total } = priceOrder(
    exact.map(({ toPrice }) => toPrice),
    rules,
  );
  return fromCents(toCents(total) - toCents(totalsOfLines(exact.map(({ line }) => line)).total));
}

function isPricedSo({ total = 0 }: OrderLine, priced: number): boolean {
  return Math.abs(toCents(total) - toCents(priced)) <= SPLIT_CENTS;
}
