import type { OrderRow } from "@comanda/protocol";
import type { OrderDeps } from "../orders/order-deps.ts";
import type { OrderFinder } from "../orders/order-search.ts";
import { isoTime } from "../platform/world.ts";
import { presentOrderRow } from "./present-order-row.ts";

export type OrderRows = ReturnType<typeof createOrderRows>;

/** Orders as lines of the operator's list; discarded ones as they were. Those that cannot be read are left out. */
export function createOrderRows(deps: Pick<OrderDeps, "world" | "orders" | "leases"> & { orderSearch: OrderFinder }) {
  const { world, orders, leases, orderSearch } = deps;

  function rowOf(posReference: string, unappliedPayment: boolean): OrderRow | null {
    const order = orders.shown(posReference);
    if (order !== null) {
      const forward = order.forward ?? { state: "none" };
      return presentOrderRow(order, { forward, unappliedPayment, lease: leases.holder(posReference) });
    }
    const removal = orders.removal(posReference);
    const last = removal === null ? null : orders.lastContent(posReference);
    if (removal === null || last === null) return null;
    const { version, origin, removedAt } = removal;
    const removedAs = { version, origin, at: isoTime(removedAt) };
    return presentOrderRow(last, { forward: { state: "none" }, removedAs, unappliedPayment, lease: null });
  }

  return (posReferences: Iterable<string>): OrderRow[] => {
    const openPayments = orderSearch.withOpenPayments();
    return [...posReferences].flatMap((posReference) => {
      try {
        return rowOf(posReference, openPayments.has(posReference)) ?? [];
      } catch (error) {
        world.log.error({ err: error, posReference }, "an order cannot be read");
        return [];
      }
    });
  };
}
