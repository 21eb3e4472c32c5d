// What is done to lines that were not sent. Apart from other edits: a screen that takes no orders does not fetch it.
import { changeLine, withLines, withQuantity } from "./edit-content.ts";
import { linesOf, type OrderContent } from "./order-content.ts";
import type { PricedMenu } from "./reprice-line.ts";

/**
 * Another quantity of a line, priced by its own unit price; its amounts in proportion without a menu or a unit price. What is
 * void of it stays void.
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
