import type { OrderStatus } from "./orders.ts";

/** An order is active until it is paid; `closed` is a paid order that the back-office has confirmed. */
export function isActive(status: OrderStatus): boolean {
  return status !== "paid" && status !== "closed";
}

/** Returns whether an order's content is locked: no writer may change it in these states. */
export function isLocked(status: OrderStatus): boolean {
  return status === "paid" || status === "closed" || status === "checkout";
}
