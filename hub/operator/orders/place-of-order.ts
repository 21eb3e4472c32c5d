import type { OrderPlace } from "@comanda/protocol";
import { placeOf } from "@comanda/rules";
import type { OrderStore } from "../../orders/store/order-store.ts";

export type PlaceOfOrder = (posReference: string) => OrderPlace | null;

/** Where a check belongs, for lists that name checks; null for one that the hub does not have, or whose row is damaged. */
export function createPlaceOfOrder(orders: Pick<OrderStore, "get">): PlaceOfOrder {
  return (posReference) => {
    try {
      const order = orders.get(posReference);
      return order === null ? null : placeOf(order.snapshot);
    } catch {
      return null;
    }
  };
}
