import type { OrderPlace } from "@comanda/protocol";
import { placeOf } from "@comanda/rules";
import type { OrderStore } from "../../orders/store/order-store.ts";

export type PlaceOfOrder = (posReference: string) => OrderPlace | null;

/** Returns the place of a check for lists; null if the check is missing or its row damaged. */
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
