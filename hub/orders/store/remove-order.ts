import type { StoredOrder } from "@comanda/protocol";
import { tablesOf } from "@comanda/rules";
import type { ChangeOf, Tx } from "../../changes/change.ts";
import type { LeaseBook } from "../../leases/lease-book.ts";
import type { TableStore } from "../../tables/table-store.ts";
import type { OrderStore } from "./order-store.ts";
import { followOrder } from "./table-state.ts";

/**
 * Removes an order permanently, frees its tables unless another check is on them, and ends its lease. `mergedInto` are the
 * checks that its lines moved to.
 */
export function removeOrder(
  deps: { orders: OrderStore; tables: TableStore; leases: LeaseBook },
  tx: Tx,
  stored: StoredOrder,
  { origin, ...removal }: { origin: string; reason: string | null; mergedInto?: readonly string[] },
): ChangeOf<"order.removed"> {
  const { posReference, snapshot } = stored;
  const change = deps.orders.remove(tx, stored, origin, removal);
  tx.emit(change);
  followOrder(deps, tx, tablesOf(snapshot), posReference, origin);
  deps.leases.end(tx, posReference, origin);
  return change;
}
