// Edits of unsent lines, in a module of their own: screens that take no orders do not load it.
import { changeLine, withLines, withQuantity } from "./edit-content.ts";
import { linesOf, type OrderContent } from "./order-content.ts";
import type { PricedMenu } from "./reprice-line.ts";

/**
 * Changes the quantity of a line, priced by its own unit price, or proportionally without a menu or unit price. The voided
 * quantity stays.
 */
export function changeQuantity(
  content: OrderContent,
  lineId: string,
  quantity: number,
  menu: PricedMenu | null = null,
): OrderContent {
  return changeLine(content, lineId, (line) => withQuantity(line, quantity, { content, menu }));
}

export function removeLine(content: OrderContent, lineId: string): OrderContent {
  return withLines(
    content,
    linesOf(content).filter((line) => line.id !== lineId),
  );
}
