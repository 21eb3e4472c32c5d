import type { ComponentProps } from "react";
import { Panel } from "../layout/panel.tsx";
import { Table } from "./table.tsx";

/** A panel with a table alone; nothing where that has no rows. */
export function TablePanel<T>({
  title,
  about,
  ...table
}: Pick<ComponentProps<typeof Panel>, "title" | "about"> & ComponentProps<typeof Table<T>>) {
  if (table.rows.length === 0) return null;
  return (
    <Panel title={title} about={about} flush>
      <Table {...table} />
    </Panel>
  );
}
