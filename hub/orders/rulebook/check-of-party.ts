import { isActive } from "@comanda/protocol";
import { type CheckOnTable, type GuestRecord, guestRecordKey } from "@comanda/rules";
import type { OrderStore } from "../store/order-store.ts";

/** Finds the active check of the guests with this record; null if they are not seated. */
export function checkOfParty(
  orders: Pick<OrderStore, "get" | "listNamedSince">,
  { pluginId, key }: GuestRecord,
): CheckOnTable | null {
  for (const posReference of orders.listNamedSince([key], Infinity)) {
    const snapshot = orders.get(posReference)?.snapshot;
    if (snapshot === undefined || !isActive(snapshot.status) || guestRecordKey(snapshot, pluginId) !== key) continue;
    return { posReference, checkNumber: snapshot.checkNumber ?? null };
  }
  return null;
}
