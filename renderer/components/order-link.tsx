import type { OrderPlace } from "@comanda/protocol";
import { Link } from "wouter";
import { useOrderLabels } from "./labels.ts";

/** The address of an order's page; its reference may hold slashes. */
export function orderPath(posReference: string): string {
  return `/orders/${encodeURIComponent(posReference)}`;
}

/** A check as people know it, by its place where that is known, with the way to its page. */
export function OrderLink({ posReference, place = null }: { posReference: string; place?: OrderPlace | null }) {
  const labels = useOrderLabels();
  const link = <Link href={orderPath(posReference)}>{posReference}</Link>;
  if (place === null) return link;
  return (
    <>
      <strong>{labels.place(place)}</strong> {link}
    </>
  );
}
