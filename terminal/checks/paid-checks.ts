import { isActive, type RecentOrders, type StoredOrder } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { paidAt } from "./paid-at.ts";

/** A check that was paid, as far as this device knows it. */
export interface PaidCheck extends Pick<LocalOrder, "posReference" | "snapshot" | "pending" | "paymentRefused"> {
  /** ISO 8601. */
  paidAt: string;
}

/**
 * The paid checks, the newest first: what the hub lists for this shift, and what this device has seen itself, newer than
 * the list or not sent yet. Without a list everything that the device keeps, which is at most a day old.
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

/** The list with its next page; it stays complete up to when the first one was read: what was paid since is on no later one. */
export function withNextPage({ orders, asOf }: RecentOrders, next: RecentOrders): RecentOrders {
  return { orders: [...orders, ...next.orders], asOf, nextCursor: next.nextCursor };
}

/** What the hub lists waits for nothing. */
function paidCheck({
  posReference,
  snapshot,
  pending = 0,
  paymentRefused = false,
}: Pick<StoredOrder, "posReference" | "snapshot"> & Partial<LocalOrder>): PaidCheck {
  return { posReference, snapshot, pending, paymentRefused, paidAt: paidAt(snapshot) };
}
