import type { Adjustment, OrderStatus, StoredLine, Totals } from "@comanda/protocol";
import { missingQuantity } from "../kitchen/line-quantities.ts";
import { subtract, sum } from "../platform/money.ts";

/** Whether the kitchen has the line, or part of it. */
export function isWithKitchen(line: StoredLine): boolean {
  return line.kitchenSentAt !== undefined;
}

/** The status of an active order, derived from its lines. */
export function statusOf(lines: readonly StoredLine[]): OrderStatus {
  if (!lines.some(isWithKitchen)) return "open";
  return lines.every((line) => missingQuantity(line) === 0) ? "sent" : "changed";
}

/**
 * Totals computed from the lines that are charged and from what is added or taken off by name: tax of `taxAmount` (missing
 * counts 0), subtotal of the rest of the lines.
 */
export function totalsOf(lines: readonly StoredLine[], adjustments: readonly Adjustment[] = []): Totals {
  const charged = lines.filter((line) => line.voided !== true);
  const ofLines = sum(charged.map((line) => line.total ?? 0));
  const tax = sum(charged.map((line) => line.taxAmount ?? 0));
  const total = sum([ofLines, ...adjustments.map(({ amount }) => amount)]);
  return { subtotal: subtract(ofLines, tax), tax, total };
}
