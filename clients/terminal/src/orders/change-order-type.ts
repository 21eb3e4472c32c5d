import type { OrderType } from "@comanda/protocol";
import { withLines } from "./edit-content.ts";
import { linesOf, type OrderContent } from "./order-content.ts";
import { repriceLine, type PricedMenu } from "./reprice-line.ts";

/**
 * Changes how a check is served; its lines get the taxes of the new type. Joined tables are kept only if the table stays the
 * same.
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

/** Seats a check at a table. Taxes change to those of `dine_in` if the menu is known. */
export function seatAt(content: OrderContent, tableId: number, menu: PricedMenu | null): OrderContent {
  const { orderType = "dine_in" } = content;
  const seated = { ...content, tableId, tableIds: null };
  return menu === null || orderType === "dine_in"
    ? seated
    : changeOrderType(seated, { orderType: "dine_in", tableId }, menu);
}
