import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ActionRow, useConfirm, type Action } from "./action-button.tsx";
import { Empty, type EmptyText } from "./empty.tsx";

/** One column of a table, short or long. */
export interface Column<T> {
  /** Differs from those of the other columns. */
  header: string;
  /** In a long table, a CSS grid track: `minmax(140px, 2fr)`. */
  width?: string;
  align?: "right";
  /** Figures to compare: to the right, their digits below each other. */
  numeric?: boolean;
  /** Further classes of the cells: `num`, `mono`, `soft`. */
  className?: string;
  cell: (row: T) => ReactNode;
}

export function headerClass<T>({ align, numeric = false }: Column<T>): string | undefined {
  return numeric ? "right" : align;
}

export function cellClass<T>(column: Column<T>): string | undefined {
  return (
    [headerClass(column), column.numeric === true && "num", column.className].filter(Boolean).join(" ") || undefined
  );
}

interface TableProps<T> {
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string | number;
  rowClass?: (row: T) => string | undefined;
  /** What can be done with a row. */
  actions?: ((row: T) => readonly Action[]) | undefined;
  /** The same where buttons alone do not do. */
  controls?: (row: T) => ReactNode;
  /** Instead of a table without rows. */
  empty?: EmptyText;
  className?: string;
  /** Rows below: sums. */
  foot?: ReactNode;
}

/** A table whose rows are all shown; `VirtualTable` is the one for long lists. */
export function Table<T>(props: TableProps<T>) {
  const { columns, rows, rowKey, rowClass, actions, controls, empty, className = "plain-table", foot } = props;
  const { t } = useTranslation("common");
  // Here and not in the button: a row may be gone before its action has ended.
  const [dialog, confirm] = useConfirm();
  const controlsOf =
    actions === undefined ? controls : (row: T) => <ActionRow actions={actions(row)} onConfirm={confirm} />;
  const table = (
    <div className="table-scroll">
      <table className={className}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.header} scope="col" className={headerClass(column)}>
                {column.header}
              </th>
            ))}
            {controlsOf !== undefined && (
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
                <td key={column.header} className={cellClass(column)}>
                  {column.cell(row)}
                </td>
              ))}
              {controlsOf !== undefined && <td className="right">{controlsOf(row)}</td>}
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
