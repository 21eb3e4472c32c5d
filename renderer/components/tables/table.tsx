import { useMergedRef } from "@mantine/hooks";
import { memo, useRef, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Found } from "../../lib/found.ts";
import { ActionRow, useConfirm, type Action } from "../forms/action-button.tsx";
import { useNarrow } from "../../lib/use-narrow.ts";
import { usePrinting } from "../../lib/use-printing.ts";
import { Empty, type EmptyText } from "../layout/empty.tsx";
import { naturalScrollWidth, useColumnWidths } from "./use-column-widths.ts";
import { useVisibleRows, type VisibleRows } from "./use-visible-rows.ts";

/** A column of a `Table` or a `VirtualTable`. */
export interface Column<T> {
  /** Unique among the columns. */
  header: string;
  /** A CSS grid track in a `VirtualTable`, such as `minmax(140px, 2fr)`. */
  width?: string;
  align?: "right";
  /** Figures to compare: right-aligned, with digits of equal width. */
  numeric?: boolean;
  /** Additional classes of the cells: `num`, `mono`, `soft`. */
  className?: string;
  /** Holds sentences or addresses: has a line of its own in a stacked row. */
  isLong?: boolean;
  cell: (row: T) => ReactNode;
}

export function headerClass<T>({ align, numeric = false }: Column<T>): string | undefined {
  return numeric ? "right" : align;
}

export function cellClass<T>(column: Column<T>): string | undefined {
  const { numeric = false, isLong = false, className } = column;
  return [headerClass(column), numeric && "num", isLong && "long", className].filter(Boolean).join(" ") || undefined;
}

/** Widths in px of a column without a width of its own, and of the actions or controls of a row. */
const COLUMN_WIDTH = 115;
const ACTIONS_WIDTH = 230;
const CONTROLS_WIDTH = 170;

/**
 * Returns the width in px below which rows are stacked: the first cell is the title, the other cells follow with their headers,
 * the buttons are at the end.
 */
export function widthOf<T>(columns: readonly Column<T>[]): number {
  return columns.reduce((sum, { width = "" }) => sum + Number(/(\d+)px/.exec(width)?.[1] ?? COLUMN_WIDTH), 0);
}

interface TableProps<T> {
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string | number;
  rowClass?: (row: T) => string | undefined;
  /** The buttons of a row. */
  actions?: ((row: T) => readonly Action[]) | undefined;
  /** Replaces `actions` if buttons are not enough. */
  controls?: (row: T) => ReactNode;
  /** Shown instead of a table without rows. Null shows nothing. */
  empty?: EmptyText | null;
  className?: string;
  /** Rows with sums at the bottom. */
  foot?: ReactNode;
  /** The result of a search, with the key of its row: the table scrolls to that row and marks it. */
  found?: Found | null;
}

/** Identifies an action of a row. */
interface ActionKey extends Pick<Action, "label"> {
  key: string | number;
}

/** Above this number of rows, only visible rows are rendered. */
const WHOLE_UP_TO = 60;
const ROW_HEIGHT = 46;

/** A table that scrolls with the page. `VirtualTable` is the one with its own scroll area. */
export function Table<T>(props: TableProps<T>) {
  const { columns, rows, rowKey, rowClass, actions, controls, empty, className = "plain-table", foot, found } = props;
  const { t } = useTranslation("common");
  const list = useRef<HTMLDivElement>(null);
  const isFound = (row: T) => found != null && String(rowKey(row)) === found.id;
  const visible = useVisibleRows({
    list,
    headHeight: () => list.current?.querySelector("thead")?.offsetHeight ?? 0,
    keys: rows.map(rowKey),
    rowHeight: ROW_HEIGHT,
    wholeUpTo: WHOLE_UP_TO,
    foundIndex: found == null ? -1 : rows.findIndex(isFound),
    found,
  });
  // Held by the table, not by the button: a row may disappear before its action ends.
  const [dialog, confirm] = useConfirm(({ key, label }: ActionKey) => {
    const row = rows.find((each) => rowKey(each) === key);
    return row === undefined ? undefined : actions?.(row).find((action) => action.label === label);
  });
  const controlsOf =
    actions === undefined
      ? controls
      : (row: T) => (
          <ActionRow
            actions={actions(row)}
            onConfirm={(action) => confirm(action, { key: rowKey(row), label: action.label })}
          />
        );
  const buttonsWidth = actions === undefined ? (controls === undefined ? 0 : CONTROLS_WIDTH) : ACTIONS_WIDTH;
  const [scroller, isNarrow] = useNarrow(widthOf(columns) + buttonsWidth, naturalScrollWidth);
  // Sums must stay below their column, and tables with sums are small. Paper is wide enough, even if the window is not.
  const isPrinting = usePrinting();
  const isStacked = isNarrow && foot === undefined && !isPrinting;
  const widths = useColumnWidths(list, visible.isPart && !isStacked, columns.map(({ header }) => header).join());
  const table = (
    <div
      ref={useMergedRef(list, scroller)}
      className="table-scroll"
      style={{ paddingTop: visible.before, paddingBottom: visible.after }}
    >
      <table
        className={isStacked ? `${className} stacked` : className}
        style={widths === null ? undefined : { tableLayout: "fixed", width: sum(widths) }}
        aria-rowcount={visible.isPart ? rows.length + 1 : undefined}
      >
        {widths !== null && (
          <colgroup>
            {widths.map((width, index) => (
              <col key={index} style={{ width }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr aria-rowindex={visible.isPart ? 1 : undefined}>
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
          {visible.indexes.map((index) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <TableRow
                key={rowKey(row)}
                row={row}
                index={index}
                isPart={visible.isPart}
                measure={visible.measure}
                columns={columns}
                className={[rowClass?.(row), isFound(row) && "row-found"].filter(Boolean).join(" ") || undefined}
                controls={controlsOf}
              />
            );
          })}
        </tbody>
        {foot !== undefined && <tfoot>{foot}</tfoot>}
      </table>
    </div>
  );
  return (
    <>
      {rows.length > 0 || empty === undefined ? table : empty !== null && <Empty {...empty} />}
      {dialog}
    </>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface RowProps<T> extends Pick<VisibleRows, "isPart" | "measure"> {
  row: T;
  index: number;
  columns: readonly Column<T>[];
  className: string | undefined;
  controls: ((row: T) => ReactNode) | undefined;
}

/** Rerenders only if its row changes, provided that the table keeps its columns and controls. */
const TableRow = memo(PlainRow) as typeof PlainRow;

function PlainRow<T>({ row, index, isPart, measure, columns, className, controls }: RowProps<T>) {
  return (
    <tr ref={measure} data-index={index} aria-rowindex={isPart ? index + 2 : undefined} className={className}>
      {columns.map((column) => (
        <td key={column.header} className={cellClass(column)} data-label={column.header}>
          {column.cell(row)}
        </td>
      ))}
      {controls !== undefined && <td className="right row-controls">{controls(row)}</td>}
    </tr>
  );
}
