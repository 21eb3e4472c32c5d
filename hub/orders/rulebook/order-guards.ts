import { HUB_ORIGIN, type PosConfig, type SetItemState, type StoredOrder, hubLimits } from "@comanda/protocol";
import { type Refusal, refusalOfLease, refusalOfLock } from "@comanda/rules";
import { HubError } from "../../platform/errors.ts";
import type { ItemStates } from "../../kitchen/item-states.ts";
import type { OrderStore } from "../store/order-store.ts";
import type { Writer } from "../writer.ts";
import { ruleError } from "./rule-error.ts";
import type { HubContext } from "./rulebook.ts";

export function requireOrder(orders: Pick<OrderStore, "get">, posReference: string): StoredOrder {
  const stored = orders.get(posReference);
  if (stored === null) throw ruleError(orders.get, { code: "NO_ORDER", values: { posReference } });
  return stored;
}

/** Throws if an order is checked out, paid or closed. */
export function requireUnlocked(stored: StoredOrder): void {
  const refusal = refusalOfLock(stored);
  if (refusal !== null) throw ruleError(() => stored, refusal);
}

export function lockedError(stored: StoredOrder): HubError {
  const { posReference, snapshot } = stored;
  return ruleError(() => stored, { code: "LOCKED", values: { posReference, status: snapshot.status } });
}

export function requireNoOtherLease({ hub }: HubContext, posReference: string): void {
  const refusal = refusalOfLease(hub, posReference);
  if (refusal !== null) throw ruleError(() => null, refusal);
}

export function requireFewOrders(orders: OrderStore, terminalId: string): void {
  const max = hubLimits.openOrdersPerTerminal;
  if (terminalId === HUB_ORIGIN || orders.countActive() < max || orders.countActiveByOrigin(terminalId) < max) return;
  throw new HubError("LIMIT_REACHED", `a terminal has at most ${max} orders open: pay or discard some first`);
}

/** Throws VALIDATION_ERROR for a product that is not in the menu. Without a menu, any product is accepted. */
export function requireProduct(
  menu: PosConfig | null,
  itemStates: Pick<ItemStates, "has">,
  { productId, state }: SetItemState,
): void {
  const products = menu?.products;
  // A product that was removed from the menu may still be set to available.
  if (products === undefined || (state === "available" && itemStates.has(productId))) return;
  if (products.some(({ id }) => String(id) === String(productId))) return;
  throw new HubError("VALIDATION_ERROR", `productId: the menu has no product ${productId}`);
}

/** Throws if the writer is a waiter, for actions of cashiers and managers. */
export function requireCashier(
  writer: Writer,
  action: Extract<Refusal, { code: "CASHIER_NEEDED" }>["values"]["what"],
): void {
  if (writer.role === "waiter") throw ruleError(() => null, { code: "CASHIER_NEEDED", values: { what: action } });
}
