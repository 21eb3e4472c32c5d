import { toCents } from "@comanda/rules";
import { transact, type Db } from "../db/open.ts";
import { Refusal } from "../refusal.ts";
import { creditMethods } from "../seed/catalog.ts";
import type { OrderToStore, StoredOrder } from "../stores/orders.ts";
import type { Stores } from "../stores/stores.ts";
import type { World } from "../world.ts";
import type { OrderContent } from "./order-content.ts";

export interface OrderDeps {
  db: Db;
  stores: Stores;
  world: World;
}

/**
 * Creates an order by its reference: stores a new one, replaces a draft, and leaves a paid one unchanged. An order becomes
 * paid once, which charges the customer's credit for payments on credit.
 */
export function placeOrder(
  deps: OrderDeps,
  order: OrderToStore,
  content: OrderContent,
): { existing: boolean; order: StoredOrder } {
  const { db, stores, world } = deps;
  return transact(db, () => {
    const before = stores.orders.get(order.posReference);
    if (before !== null && isAnswered(before, order)) return { existing: true, order: before };

    const sessionId = stores.posSessions.idToBookInto();
    if (before === null) stores.orders.add(order, sessionId, world.now());
    else stores.orders.replace(order, sessionId, world.now());
    if (order.status === "paid") useCredit(stores, content);
    return { existing: before !== null, order: mustFind(stores, order.posReference) };
  });
}

function isAnswered(before: StoredOrder, order: OrderToStore): boolean {
  const same = before.source === order.source && JSON.stringify(before.received) === JSON.stringify(order.received);
  return before.status === "paid" || same;
}

/** Charges each payment on credit to its customer, or else to the order's. */
function useCredit(stores: Stores, { customerId, payments }: OrderContent): void {
  for (const payment of payments) {
    if (!creditMethods.has(String(payment.methodId))) continue;
    const customer = stores.customers.get(payment.customerId ?? customerId);
    if (customer !== null) stores.customers.useCredit(customer, toCents(payment.amount));
  }
}

/** Returns the order with that reference. Throws NOT_FOUND. */
export function mustFind(stores: Stores, posReference: string): StoredOrder {
  const order = stores.orders.get(posReference);
  if (order === null) throw new Refusal("NOT_FOUND", `there is no order ${posReference}`);
  return order;
}
