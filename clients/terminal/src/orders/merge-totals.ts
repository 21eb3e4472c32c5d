import { fromCents, sumOfLines, toCents } from "@comanda/rules";
import { linesOf, type OrderContent, type OrderLine } from "./order-content.ts";

type ContentTotals = NonNullable<OrderContent["totals"]>;

/**
 * Merges the totals of merged lines. A total is the sum of its lines plus an extra (a discount, a tip): the sum is computed
 * again, the extra is merged like any other field. Amounts are added up in cents.
 */
export function mergeTotals(
  base: OrderContent,
  mine: OrderContent,
  hub: OrderContent,
  lines: readonly OrderLine[],
): { totals: ContentTotals | undefined; collides: boolean } {
  if (mine.totals === undefined) return { totals: hub.totals, collides: false };
  if (hub.totals === undefined) return { totals: mine.totals, collides: false };
  const [before, ours, theirs] = [onTop(base), onTop(mine), onTop(hub)];
  const total = mergeOnTop(before.total, ours.total, theirs.total);
  const tax = mergeOnTop(before.tax, ours.tax, theirs.tax);
  const subtotal = mergeOnTop(before.subtotal, ours.subtotal, theirs.subtotal);
  const sums = sumLines(lines);
  const totals: ContentTotals = {
    ...hub.totals,
    total: keepExact(hub.totals.total, sums.total + total.cents),
    tax: keepExact(hub.totals.tax, sums.tax + tax.cents),
    subtotal: keepExact(hub.totals.subtotal, sums.total - sums.tax + subtotal.cents),
  };
  return { totals, collides: total.collides || tax.collides || subtotal.collides };
}

/** Returns the sum of the lines that are not voided. */
export function totalsOfLines(lines: readonly OrderLine[]): ContentTotals {
  return sumOfLines(lines);
}

/** Returns the sum of the adjustments and of the lines that are not voided. */
export function totalsOfContent(content: OrderContent): ContentTotals {
  return sumOfLines(linesOf(content), content.adjustments);
}

/** Returns what the totals contain beyond the sum of the lines, in cents. */
function onTop(content: OrderContent): { total: number; tax: number; subtotal: number } {
  const sums = sumLines(linesOf(content));
  const { total = 0, tax = 0, subtotal = 0 } = content.totals ?? {};
  return {
    total: toCents(total) - sums.total,
    tax: toCents(tax) - sums.tax,
    subtotal: toCents(subtotal) - (sums.total - sums.tax),
  };
}

function mergeOnTop(base: number, mine: number, hub: number): { cents: number; collides: boolean } {
  if (mine === base || mine === hub) return { cents: hub, collides: false };
  return { cents: mine, collides: hub !== base };
}

/** Keeps the digits beyond the cents of an amount that did not change. */
function keepExact(amount: number, mergedCents: number): number {
  return toCents(amount) === mergedCents ? amount : fromCents(mergedCents);
}

function sumLines(lines: readonly OrderLine[]): { total: number; tax: number } {
  const { total, tax } = sumOfLines(lines);
  return { total: toCents(total), tax: toCents(tax) };
}
