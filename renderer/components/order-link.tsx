import { Link } from "wouter";

/** The address of an order's page; its reference may hold slashes. */
export function orderPath(posReference: string): string {
  return `/orders/${encodeURIComponent(posReference)}`;
}

export function OrderLink({ posReference }: { posReference: string }) {
  return <Link href={orderPath(posReference)}>{posReference}</Link>;
}
