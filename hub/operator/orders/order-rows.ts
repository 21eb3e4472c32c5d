import { logEvent } from "../../platform/log-event.ts";
import type { OrderRow, Snapshot, StoredOrder } from "@comanda/protocol";
import { placeOf } from "@comanda/rules";
import type { OrderFinder } from "../../orders/lists/order-search.ts";
import { isoTime, type World } from "../../platform/world.ts";
import type { Stores } from "../../stores/create-stores.ts";

export type OrderRows = ReturnType<typeof createOrderRows>;

/** Reads orders as rows of the operator's list; discarded ones as they last were. Unreadable orders are skipped. */
export function createOrderRows(
  deps: Pick<Stores, "orders" | "leases"> & {
    world: World;
    orderSearch: OrderFinder;
  },
) {
  const { world, orders, leases, orderSearch } = deps;

  function rowOf(posReference: string, unappliedPayment: boolean): OrderRow | null {
    const order = orders.shown(posReference);
    if (order !== null) return { ...presentOrder(order), unappliedPayment, lease: leases.holder(posReference) };
    const removal = orders.getRemoval(posReference);
    const last = removal === null ? null : orders.lastContent(posReference);
    if (removal === null || last === null) return null;
    const { version, origin, removedAt } = removal;
    return { ...presentOrder(last), version, removed: true, updatedAt: isoTime(removedAt), origin, unappliedPayment };
  }

  return (posReferences: Iterable<string>): OrderRow[] => {
    const openPayments = orderSearch.findWithOpenPayments();
    return [...posReferences].flatMap((posReference) => {
      try {
        return rowOf(posReference, openPayments.has(posReference)) ?? [];
      } catch (error) {
        world.log.error(logEvent("order_unreadable", { err: error, posReference }), "an order cannot be read");
        return [];
      }
    });
  };
}

/** Returns the row of an order, from its content alone. */
function presentOrder(order: StoredOrder): OrderRow {
  const { snapshot } = order;
  const { subtotal, tax, total } = snapshot.totals;
  return {
    posReference: order.posReference,
    version: order.version,
    status: snapshot.status,
    removed: false,
    ...placeOf(snapshot),
    customerName: snapshot.customerName ?? null,
    staffName: snapshot.staffName ?? null,
    guestCount: snapshot.guestCount,
    itemCount: snapshot.lines.filter((line) => line.voided !== true).length,
    totals: { subtotal, tax, total },
    createdAt: snapshot.createdAt,
    updatedAt: snapshot.updatedAt,
    origin: order.terminalId,
    forward: order.forward ?? { state: "none" },
    unappliedPayment: false,
    ...missingNumber(snapshot),
    lease: null,
  };
}

function missingNumber({ fiscal }: Snapshot): Pick<OrderRow, "missingNumber"> {
  const status = fiscal?.status;
  return status === "pending" || status === "failed" ? { missingNumber: status } : {};
}
