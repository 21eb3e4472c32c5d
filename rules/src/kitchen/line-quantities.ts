import type { OrderStatus, StoredLine } from "@comanda/protocol";
import { subtract } from "../money/amounts.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";

/** What the quantities of an order line depend on. */
export type LineQuantities = Pick<
  StoredLine,
  "quantity" | "voided" | "voidedQuantity" | "comp" | "sentQuantity" | "sentVoidedQuantity" | "preparedQuantity"
>;

/** How much of a line is void: all of it, or the part that `voidedQuantity` names. */
export function voidedQuantityOf({ quantity, voided, voidedQuantity }: LineQuantities): number {
  return voided === true ? quantity : Math.min(quantity, voidedQuantity ?? 0);
}

/** How much of a line nobody is to make: what is void. What was given away is made and eaten all the same. */
export function unwantedQuantityOf(line: LineQuantities): number {
  return line.comp === true ? 0 : voidedQuantityOf(line);
}

/** How much of a line the kitchen is to make. */
export function wantedQuantityOf(line: LineQuantities): number {
  return line.comp === true ? line.quantity : chargedQuantity(line);
}

/** How much of what was sent is above what the line still asks for. */
export function surplusOf(line: LineQuantities): number {
  return Math.max(0, subtract(line.sentQuantity ?? 0, wantedQuantityOf(line)));
}

/**
 * How much of what was sent is void, cooked or not. It stays with its line for good: what is asked for on top of it is a
 * dish of its own.
 */
export function sentVoidedQuantityOf(line: LineQuantities): number {
  return Math.min(line.sentQuantity ?? 0, line.sentVoidedQuantity ?? surplusOf(line));
}

/** How much of what was sent is cancelled: what is void and was not prepared. */
export function cancelledQuantityOf(line: LineQuantities): number {
  return Math.min(sentVoidedQuantityOf(line), subtract(line.sentQuantity ?? 0, line.preparedQuantity ?? 0));
}

/** How much of a void is undone: what the line says is no longer void, as far as it asks for more than it holds. */
export function undoneVoid(
  { voided, held, wanted }: { voided: number; held: number; wanted: number },
  was: LineQuantities,
  next: LineQuantities,
): number {
  const less = subtract(unwantedQuantityOf(was), unwantedQuantityOf(next));
  return Math.max(0, Math.min(voided, subtract(wanted, held), less));
}

/** How much of a line the kitchen lacks. */
export function missingQuantity(line: LineQuantities): number {
  const held = subtract(line.sentQuantity ?? 0, sentVoidedQuantityOf(line));
  return Math.max(0, subtract(wantedQuantityOf(line), held));
}

/** Whether the kitchen has the line, or part of it. */
export function isWithKitchen(line: Pick<StoredLine, "kitchenSentAt">): boolean {
  return line.kitchenSentAt !== undefined;
}

/** The status of an active order, derived from its lines. */
export function statusOf(lines: readonly StoredLine[]): Extract<OrderStatus, "open" | "sent" | "changed"> {
  if (!lines.some(isWithKitchen)) return "open";
  return lines.every((line) => missingQuantity(line) === 0) ? "sent" : "changed";
}
