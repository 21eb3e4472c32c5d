import type { OrderPlace } from "@comanda/protocol";
import type { ComponentProps } from "react";
import { Link } from "wouter";
import { useOrderLabels } from "./labels.ts";
import type { Column } from "./tables/table.tsx";

/** Returns the address of an order's page. References may contain slashes. */
export function orderPath(posReference: string): string {
  return `/orders/${encodeURIComponent(posReference)}`;
}

/** Characters of a reference kept on one line in table cells: as many as a terminal generates. */
const MAX_UNBROKEN = 14;

/** A check by its place, if known, with a link to its page. */
export function OrderLink({ posReference, place = null }: { posReference: string; place?: OrderPlace | null }) {
  const labels = useOrderLabels();
  const link = (
    <Link href={orderPath(posReference)} style={{ minWidth: `${Math.min(posReference.length, MAX_UNBROKEN)}ch` }}>
      {posReference}
    </Link>
  );
  if (place === null) return link;
  return (
    <>
      <strong>{labels.place(place)}</strong> {link}
    </>
  );
}

/** Returns the table column that names and links each row's check. */
export function orderColumn(header: string): Column<ComponentProps<typeof OrderLink>> {
  return { header, cell: ({ posReference, place }) => <OrderLink posReference={posReference} place={place ?? null} /> };
}
