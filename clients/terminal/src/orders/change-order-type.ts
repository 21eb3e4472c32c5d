import type { OrderType } from "@comanda/protocol";
import { withLines } from "./edit-content.ts";
import { linesOf, type OrderContent } from "./order-content.ts";
import { repriceLine, type PricedMenu } from "./reprice-line.ts";

/**
 * Eaten here, taken away or delivered: its lines bear the taxes of the new type. A check that stays at its table keeps those
 * that are joined; without a table, none stays with it.
 */
export function changeOrderType(
  content: OrderContent,
  { orderType, tableId }: { orderType: OrderType; tableId: number | null },
  menu: PricedMenu,
): OrderContent {
  const lines = linesOf(content).map((line) => repriceLine(line, orderType, menu));
  const tables = tableId === (content.tableId ?? null) ? {} : { tableId, tableIds: null };
  return withLines({ ...content, orderType, ...tables }, lines);
}

/** At a table: guests who sit down with what they had taken away pay as others who sit, as far as the menu is known. */
export function seatAt(content: OrderContent, tableId: number, menu: PricedMenu | null): OrderContent {
  const { orderType = "dine_in" } = content;
  const seated = { ...content, tableId, tableIds: null };
  return menu === null || orderType === "dine_in"
    ? seated
    : changeOrderType(seated, { orderType: "dine_in", tableId }, menu);
}
