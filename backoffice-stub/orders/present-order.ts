import type { BackOfficeOrder } from "@comanda/protocol";
import type { StoredOrder } from "../stores/orders.ts";
import { contentOf } from "./order-content.ts";

export function presentOrder(order: StoredOrder): BackOfficeOrder {
  const { id, posReference, status, tableId, ncf } = order;
  const { lines, totals } = contentOf(order);
  return { id, pos_reference: posReference, status, tableId, ncf, lines, totals };
}
