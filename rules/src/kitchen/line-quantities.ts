import type { OrderStatus, StoredLine } from "@comanda/protocol";
import { subtract } from "../money/amounts.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";

/** The fields that determine the quantities of an order line. */
export type LineQuantities = Pick<
  StoredLine,
  "quantity" | "voided" | "voidedQuantity" | "comp" | "sentQuantity" | "sentVoidedQuantity" | "preparedQuantity"
>;

/** Returns how much of a line is void: all of it, or `voidedQuantity`. */
export function voidedQuantityOf({ quantity, voided, voidedQuantity }: LineQuantities): number {
  return voided === true ? quantity : Math.min(quantity, voidedQuantity ?? 0);
}

/** Returns how much of a line must not be made. A comp is void but still made. */
export function quantityNotToMake(line: LineQuantities): number {
  return line.comp === true ? 0 : voidedQuantityOf(line);
}

/** Returns how much of a line the kitchen has to make. */
export function quantityToMake(line: LineQuantities): number {
  return line.comp === true ? line.quantity : chargedQuantity(line);
}

/** Returns how much of the sent quantity exceeds what the line asks for now. */
export function surplusOf(line: LineQuantities): number {
  return Math.max(0, subtract(line.sentQuantity ?? 0, quantityToMake(line)));
}

/**
 * Returns how much of the sent quantity is void, prepared or not. It stays on its line permanently: a quantity added later is a
 * new dish.
 */
export function sentVoidedQuantityOf(line: LineQuantities): number {
  return Math.min(line.sentQuantity ?? 0, line.sentVoidedQuantity ?? surplusOf(line));
}

/** Returns how much of the sent quantity is cancelled: void and not prepared. */
export function cancelledQuantityOf(line: LineQuantities): number {
  return Math.min(sentVoidedQuantityOf(line), subtract(line.sentQuantity ?? 0, line.preparedQuantity ?? 0));
}

/** Returns how much of a void is undone: what is no longer void, limited to what the line asks for beyond what it holds. */
export function undoneVoid(
  { voided, held, wanted }: { voided: number; held: number; wanted: number },
  was: LineQuantities,
  next: LineQuantities,
): number {
  const less = subtract(quantityNotToMake(was), quantityNotToMake(next));
  return Math.max(0, Math.min(voided, subtract(wanted, held), less));
}

/** Returns how much of a line has not been sent yet. */
export function missingQuantity(line: LineQuantities): number {
  const held = subtract(line.sentQuantity ?? 0, sentVoidedQuantityOf(line));
  return Math.max(0, subtract(quantityToMake(line), held));
}

/** Returns whether at least a part of the line was sent. */
export function isWithKitchen(line: Pick<StoredLine, "kitchenSentAt">): boolean {
  return line.kitchenSentAt !== undefined;
}

/** Derives the status of an active order from its lines. */
export function statusOf(lines: readonly StoredLine[]): Extract<OrderStatus, "open" | "sent" | "changed"> {
  if (!lines.some(isWithKitchen)) return "open";
  return lines.every((line) => missingQuantity(line) === 0) ? "sent" : "changed";
}
