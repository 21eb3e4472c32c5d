import type { ComponentProps, ReactNode } from "react";
import { Panel } from "../layout/panel.tsx";
import { Table } from "./table.tsx";

/** A panel with only a table. Renders nothing if there are no rows. */
export function TablePanel<T>({
  title,
  about,
  bulkActions,
  ...table
}: Pick<ComponentProps<typeof Panel>, "title" | "about"> & {
  /** Actions on all rows, or on many of them. */
  bulkActions?: ReactNode;
} & ComponentProps<typeof Table<T>>) {
  if (table.rows.length === 0) return null;
  return (
    <Panel title={title} about={about} actions={bulkActions} flush>
      <Table {...table} />
    </Panel>
  );
}
