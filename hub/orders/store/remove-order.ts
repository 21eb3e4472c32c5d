import type { StoredOrder } from "@comanda/protocol";
import { tablesOf } from "@comanda/rules";
import type { ChangeOf, Tx } from "../../changes/change.ts";
import type { LeaseBook } from "../../leases/lease-book.ts";
import type { TableStore } from "../../tables/table-store.ts";
import type { OrderStore } from "./order-store.ts";
import { followOrder } from "./table-state.ts";

const MERGED = "merged into ";

/** The checks that the lines of a removed order went to, read from the reason that it was removed for; null for a discard. */
export function mergedIntoOf(reason: string | null): string[] | null {
  return reason?.startsWith(MERGED) === true ? reason.slice(MERGED.length).split(", ") : null;
}

/**
 * Removes an order for good: its tables are free unless another check holds them, and its lease ends. `mergedInto` are the
 * checks that its lines went to: the reason then.
 */
export function removeOrder(
  deps: { orders: OrderStore; tables: TableStore; leases: LeaseBook },
  tx: Tx,
  stored: StoredOrder,
  { origin, reason, mergedInto }: { origin: string; reason: string | null; mergedInto?: readonly string[] },
): ChangeOf<"order.removed"> {
  const { posReference, snapshot } = stored;
  const why = mergedInto === undefined ? reason : `${MERGED}${mergedInto.join(", ")}`;
  const change = deps.orders.remove(tx, stored, origin, why, mergedInto && [...mergedInto]);
  tx.emit(change);
  followOrder(deps, tx, tablesOf(snapshot), posReference, origin);
  deps.leases.end(tx, posReference, origin);
  return change;
}
