import type { ComponentProps } from "react";
import { Table } from "./table.tsx";

/** What is over, below what is not: a table that opens; nothing where there is none. */
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
