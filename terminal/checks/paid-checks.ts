import { isActive, type RecentOrders, type StoredOrder } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { paidAt } from "./paid-at.ts";

/** A paid check, as known to this device. */
export interface PaidCheck extends Pick<LocalOrder, "posReference" | "snapshot" | "pending" | "paymentRefused"> {
  /** ISO 8601. */
  paidAt: string;
}

/**
 * Returns the paid checks, newest first: the hub's list for this shift, and local ones that are newer than the list or not yet
 * sent. Without a list, returns all local ones, which are at most a day old.
 */
export function paidChecks(
  local: readonly LocalOrder[],
  listed: Pick<RecentOrders, "orders" | "asOf"> | null,
): PaidCheck[] {
  const checks = new Map((listed?.orders ?? []).map((order) => [order.posReference, paidCheck(order)]));
  for (const order of local) {
    if (isActive(order.snapshot.status)) continue;
    const check = paidCheck(order);
    const isNewer = listed === null || check.paidAt >= listed.asOf || order.pending > 0;
    if (isNewer || checks.has(order.posReference)) checks.set(order.posReference, check);
  }
  return [...checks.values()].toSorted((one, other) => Date.parse(other.paidAt) - Date.parse(one.paidAt));
}

/** Appends the next page. `asOf` stays that of the first page: later pages do not contain checks paid since. */
export function withNextPage({ orders, asOf }: RecentOrders, next: RecentOrders): RecentOrders {
  return { orders: [...orders, ...next.orders], asOf, nextCursor: next.nextCursor };
}

/** A check from the hub's list has nothing pending. */
function paidCheck({
  posReference,
  snapshot,
  pending = 0,
  paymentRefused = false,
}: Pick<StoredOrder, "posReference" | "snapshot"> & Partial<LocalOrder>): PaidCheck {
  return { posReference, snapshot, pending, paymentRefused, paidAt: paidAt(snapshot) };
}
