import type { OrderStatus, StoredLine, Totals } from "@comanda/protocol";
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

/** Totals computed from the lines that are charged: total of `total`, tax of `taxAmount` (missing counts 0). */
export function totalsOf(lines: readonly StoredLine[]): Totals {
  const charged = lines.filter((line) => line.voided !== true);
  const total = sum(charged.map((line) => line.total ?? 0));
  const tax = sum(charged.map((line) => line.taxAmount ?? 0));
  return { subtotal: subtract(total, tax), tax, total };
}
