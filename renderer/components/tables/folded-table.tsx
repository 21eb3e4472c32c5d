import type { ComponentProps } from "react";
import { Table } from "./table.tsx";

/** A collapsible table for finished items below the open ones. Renders nothing if there are no rows. */
export function FoldedTable<T>({
  title,
  total,
  open,
  ...table
}: { title: string; total?: number | undefined; open?: boolean } & ComponentProps<typeof Table<T>>) {
  if (table.rows.length === 0) return null;
  return (
    <details className="fold" open={open}>
      <summary>
        {title} ({total ?? table.rows.length})
      </summary>
      <Table {...table} />
    </details>
  );
}
