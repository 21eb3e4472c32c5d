import type { OrderStatus, StoredLine } from "@comanda/protocol";
import { missingQuantity } from "../kitchen/line-quantities.ts";

/** Whether the kitchen has the line, or part of it. */
export function isWithKitchen(line: StoredLine): boolean {
  return line.kitchenSentAt !== undefined;
}

/** The status of an active order, derived from its lines. */
export function statusOf(lines: readonly StoredLine[]): OrderStatus {
  if (!lines.some(isWithKitchen)) return "open";
  return lines.every((line) => missingQuantity(line) === 0) ? "sent" : "changed";
}
