import type { StoredLine } from "@comanda/protocol";
import { subtract } from "@comanda/rules";

/** What the quantities of an order line depend on. */
export type LineQuantities = Pick<
  StoredLine,
  "quantity" | "voided" | "voidedQuantity" | "sentQuantity" | "preparedQuantity"
>;

/** How much of a line is void: all of it, or the part that `voidedQuantity` names. */
export function voidedQuantityOf({ quantity, voided, voidedQuantity }: LineQuantities): number {
  return voided === true ? quantity : Math.min(quantity, voidedQuantity ?? 0);
}

/** How much of what was sent is above what the line still asks for. */
export function surplusOf(line: LineQuantities): number {
  const wanted = subtract(line.quantity, voidedQuantityOf(line));
  return Math.max(0, subtract(line.sentQuantity ?? 0, wanted));
}

/** How much of what was sent is cancelled: what is void, unless it is prepared. */
export function cancelledQuantityOf(line: LineQuantities): number {
  return Math.min(surplusOf(line), subtract(line.sentQuantity ?? 0, line.preparedQuantity ?? 0));
}

/** How much of a line the kitchen lacks. */
export function missingQuantity(line: LineQuantities): number {
  const active = subtract(line.sentQuantity ?? 0, cancelledQuantityOf(line));
  return Math.max(0, subtract(subtract(line.quantity, voidedQuantityOf(line)), active));
}
