import type { OrderPlace } from "@comanda/protocol";
import type { ComponentProps } from "react";
import { Link } from "wouter";
import { useOrderLabels } from "./labels.ts";
import type { Column } from "./tables/table.tsx";

/** The address of an order's page; its reference may hold slashes. */
export function orderPath(posReference: string): string {
  return `/orders/${encodeURIComponent(posReference)}`;
}

/** So many signs of a reference stay in one line where cells of a table are broken: as many as a terminal gives. */
const UNBROKEN = 14;

/** A check as people know it, by its place where that is known, with the way to its page. */
export function OrderLink({ posReference, place = null }: { posReference: string; place?: OrderPlace | null }) {
  const labels = useOrderLabels();
  const link = (
    <Link href={orderPath(posReference)} style={{ minWidth: `${Math.min(posReference.length, UNBROKEN)}ch` }}>
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

/** The column of a table that names the check of each row. */
export function orderColumn(header: string): Column<ComponentProps<typeof OrderLink>> {
  return { header, cell: ({ posReference, place }) => <OrderLink posReference={posReference} place={place ?? null} /> };
}
