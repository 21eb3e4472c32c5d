import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ActionButton, useConfirm, type Action } from "./action-button.tsx";
import { Empty, type EmptyText } from "./empty.tsx";

/** One column of a table, short or long. */
export interface Column<T> {
  id: string;
  header: ReactNode;
  /** In a long table, a CSS grid track: `minmax(140px, 2fr)`. */
  width?: string;
  align?: "right";
  /** Further classes of the cells: `num`, `mono`, `soft`. */
  className?: string;
  cell: (row: T) => ReactNode;
}

export function cellClass<T>({ align, className }: Column<T>): string | undefined {
  return [align, className].filter(Boolean).join(" ") || undefined;
}

interface TableProps<T> {
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string | number;
  rowClass?: (row: T) => string | undefined;
  /** What can be done with a row. */
  actions?: ((row: T) => readonly Action[]) | undefined;
  /** Instead of a table without rows. */
  empty?: EmptyText;
  className?: string;
  /** Rows below: sums. */
  foot?: ReactNode;
}

/** A table whose rows are all shown; `VirtualTable` is the one for long lists. */
export function Table<T>({ columns, rows, rowKey, rowClass, actions, empty, className, foot }: TableProps<T>) {
  const { t } = useTranslation("common");
  // Here and not in the button: a row may be gone before its action has ended.
  const [dialog, confirm] = useConfirm();
  const table = (
    <div className="table-scroll">
      <table className={className ?? "plain-table"}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" className={column.align}>
                {column.header}
              </th>
            ))}
            {actions !== undefined && (
              <th scope="col">
                <span className="visually-hidden">{t("actions")}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className={rowClass?.(row)}>
              {columns.map((column) => (
                <td key={column.id} className={cellClass(column)}>
                  {column.cell(row)}
                </td>
              ))}
              {actions !== undefined && (
                <td>
                  <div className="button-row">
                    {actions(row).map((action) => (
                      <ActionButton key={action.label} size="xs" action={action} onConfirm={confirm} />
                    ))}
                  </div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
        {foot !== undefined && <tfoot>{foot}</tfoot>}
      </table>
    </div>
  );
  return (
    <>
      {rows.length === 0 && empty !== undefined ? <Empty {...empty} /> : table}
      {dialog}
    </>
  );
}
