import type { OrderPlace, Snapshot } from "@comanda/protocol";

/** Returns how people identify a check: by its table, or by its ticket number for takeout. */
export function placeOf({
  orderType,
  tableId,
  ticketNumber,
  checkNumber,
}: Pick<Snapshot, "orderType" | "tableId" | "ticketNumber" | "checkNumber">): OrderPlace {
  return { orderType, tableId, ticketNumber: ticketNumber ?? null, checkNumber: checkNumber ?? null };
}
