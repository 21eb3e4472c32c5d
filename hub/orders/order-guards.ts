import { HUB_ORIGIN, isLocked, type SetItemState, type StoredOrder, terminalLimits } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";

/** The order, or NOT_FOUND. */
export function requireOrder(deps: Pick<OrderDeps, "orders">, posReference: string): StoredOrder {
  const stored = deps.orders.get(posReference);
  if (stored === null) throw new HubError("NOT_FOUND", `there is no order ${posReference}`);
  return stored;
}

/** Refuses an order that is checked out, paid or closed. */
export function requireUnlocked(stored: StoredOrder): void {
  if (isLocked(stored.snapshot.status)) throw locked(stored);
}

export function locked(stored: StoredOrder): HubError {
  const { version: hubVersion, snapshot } = stored;
  return new HubError("ORDER_LOCKED", `order ${stored.posReference} is ${snapshot.status} and takes no change`, {
    hubVersion,
    snapshot,
  });
}

/** Refuses an order that another terminal has leased. */
export function requireNoOtherLease(deps: Pick<OrderDeps, "leases">, posReference: string, writer: Writer): void {
  const holder = deps.leases.holderOtherThan(posReference, writer.terminalId);
  if (holder === null) return;
  throw new HubError("LEASE_HELD", `${holder.userName} has order ${posReference} open on ${holder.terminalId}`);
}

/** Refuses a base version above the stored one, or one that other writers have moved on from. */
export function requireCurrent(
  deps: Pick<OrderDeps, "orders">,
  stored: StoredOrder,
  baseVersion: number,
  writerId: string,
  contentOnly: boolean,
): void {
  if (baseVersion === stored.version) return;
  const isStale =
    baseVersion > stored.version || deps.orders.hasOtherWriter(stored.posReference, baseVersion, writerId, contentOnly);
  if (!isStale) return;
  throw new HubError("CONFLICT", `order ${stored.posReference} is at version ${stored.version}, not ${baseVersion}`, {
    hubVersion: stored.version,
    snapshot: stored.snapshot,
  });
}

/** Refuses a new check on tables that have one, unless they are in `shared`. */
export function requireFreeTables(
  { orders }: Pick<OrderDeps, "orders">,
  tableIds: readonly number[],
  shared: ReadonlySet<number>,
): void {
  for (const tableId of tableIds) {
    const existing = shared.has(tableId) ? undefined : orders.activeOnTable(tableId)[0];
    if (existing === undefined) continue;
    const { posReference, checkNumber } = existing;
    throw new HubError("TABLE_OCCUPIED", `table ${tableId} has the active order ${posReference}`, {
      existing: { posReference, checkNumber, staffName: orders.get(posReference)?.snapshot.staffName ?? null },
    });
  }
}

/** Refuses one order more than a terminal may have open. */
export function requireFewOrders({ orders }: Pick<OrderDeps, "orders">, terminalId: string): void {
  const most = terminalLimits.openOrdersPerTerminal;
  if (terminalId === HUB_ORIGIN || orders.countActive() < most || orders.countActiveOf(terminalId) < most) return;
  throw new HubError("LIMIT_REACHED", `a terminal has at most ${most} orders open: pay or discard some first`);
}

/** Refuses the state of a product that the menu does not have; while the hub has no menu it takes any. */
export function requireProduct(
  { posConfig, itemStates }: Pick<OrderDeps, "posConfig" | "itemStates">,
  { productId, state }: SetItemState,
): void {
  const products = posConfig()?.products;
  // What has left the menu may become available again.
  if (products === undefined || (state === "available" && itemStates.has(productId))) return;
  if (products.some(({ id }) => String(id) === String(productId))) return;
  throw new HubError("VALIDATION_ERROR", `productId: the menu has no product ${productId}`);
}

/** Refuses a waiter what only a cashier or manager may do. */
export function requireCashier(writer: Writer, what: string): void {
  if (writer.role === "waiter") throw new HubError("FORBIDDEN", `only a cashier or manager may ${what}`);
}
