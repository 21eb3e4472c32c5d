import type { StoredOrder } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { OrderDeps } from "./order-deps.ts";
import type { Written } from "./save-version.ts";
import { followOrder } from "./table-state.ts";
import { tablesOf } from "./tables-of.ts";

/**
 * Removes an order for good: its tables are free unless another check holds them, and its lease ends. `mergedInto` are the
 * checks that its lines went to.
 */
export function removeOrder(
  deps: Pick<OrderDeps, "orders" | "tables" | "leases">,
  tx: Tx,
  stored: StoredOrder,
  by: { origin: string; reason: string | null; mergedInto?: string[] },
): Written {
  const { posReference, snapshot } = stored;
  const change = deps.orders.remove(tx, stored, by.origin, by.reason, by.mergedInto);
  tx.emit(change);
  followOrder(deps, tx, tablesOf(snapshot), posReference, by.origin);
  deps.leases.end(tx, posReference, by.origin);
  return { posReference, version: change.version, seq: change.seq };
}
