import type { BackOfficeOrder } from "@comanda/protocol";
import type { StoredOrder } from "../stores/orders.ts";
import { contentOf } from "./order-content.ts";

export function presentOrder(order: StoredOrder): BackOfficeOrder {
  const { lines, totals } = contentOf(order);
  return {
    id: order.id,
    pos_reference: order.posReference,
    status: order.status,
    tableId: order.tableId,
    ncf: order.ncf,
    lines,
    totals,
  };
}
