import type { OrderPlace, Snapshot } from "@comanda/protocol";

/** Where a check belongs: people know it by its table, or by the number that a takeaway was given. */
export function placeOf({
  orderType,
  tableId,
  ticketNumber,
  checkNumber,
}: Pick<Snapshot, "orderType" | "tableId" | "ticketNumber" | "checkNumber">): OrderPlace {
  return { orderType, tableId, ticketNumber: ticketNumber ?? null, checkNumber: checkNumber ?? null };
}
