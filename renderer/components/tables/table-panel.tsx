import type { ComponentProps, ReactNode } from "react";
import { Panel } from "../layout/panel.tsx";
import { Table } from "./table.tsx";

/** A panel with a table alone; nothing where that has no rows. */
export function TablePanel<T>({
  title,
  about,
  ofAll,
  ...table
}: Pick<ComponentProps<typeof Panel>, "title" | "about"> & {
  /** What is done with all rows, or many of them. */
  ofAll?: ReactNode;
} & ComponentProps<typeof Table<T>>) {
  if (table.rows.length === 0) return null;
  return (
    <Panel title={title} about={about} actions={ofAll} flush>
      <Table {...table} />
    </Panel>
  );
}
