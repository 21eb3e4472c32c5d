import { useMergedRef } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useNarrow } from "../../lib/use-narrow.ts";
import { usePrinting } from "../../lib/use-printing.ts";
import { ErrorNotice } from "../failures/error-notice.tsx";
import { Empty, type EmptyText } from "../layout/empty.tsx";
import { cellClass, headerClass, widthOf, type Column } from "./table.tsx";

/** The gap between columns and the padding of a row, in px. */
const GAP = 12;
const ROW_PADDING = 36;
/** An estimate: stacked rows differ in height, and each is measured when it is rendered. */
const STACKED_HEIGHT = 130;
/** Rendering more rows for printing would block the page for long. */
const PRINTED_ROWS = 500;

interface VirtualTableProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** The minimum height of a row, in px. */
  rowHeight?: number;
  /** Marks the selected row. */
  isCurrent?: (row: T) => boolean;
  onOpen?: (row: T) => void;
  /** Called near the end of the rows. */
  onEnd?: (() => void) | undefined;
  total?: number;
  height: string;
}

/** A long list that renders only its visible rows. Screen readers get it as a table with its full length. */
export function VirtualTable<T>(props: VirtualTableProps<T>) {
  const { columns, rows, rowKey, rowHeight = 46, isCurrent, onOpen, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [width, isStacked] = useNarrow(widthOf(columns) + GAP * (columns.length - 1) + ROW_PADDING);
  const isPrinting = usePrinting();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isStacked ? STACKED_HEIGHT : rowHeight),
    overscan: isPrinting ? PRINTED_ROWS : 12,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
  });
  useEffect(() => virtual.measure(), [virtual, isStacked]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (onEnd !== undefined && rows.length > 0 && last >= rows.length - 8) onEnd();
  }, [last, rows.length, onEnd]);
  const grid = isStacked ? {} : { gridTemplateColumns: columns.map((column) => column.width ?? "1fr").join(" ") };

  return (
    // A scrolling region must be reachable by keyboard.
    <div
      ref={useMergedRef(scroller, width)}
      className={isStacked ? "vtable stacked" : "vtable"}
      style={{ height: props.height }}
      tabIndex={0}
      role="region"
      aria-label={props.label}
    >
      <div role="table" aria-label={props.label} aria-rowcount={(props.total ?? rows.length) + 1}>
        <div role="rowgroup" className="vtable-head">
          <div role="row" aria-rowindex={1} className="vtable-row" style={grid}>
            {columns.map((column) => (
              <div key={column.header} role="columnheader" className={headerClass(column)}>
                {column.header}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="vtable-body" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              // The first cell holds a real link or button; the click on the row is a larger target for the mouse.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                // A key per layout, so that each layout gets new elements and its own measurements.
                key={isStacked ? `stacked ${item.key}` : item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                role="row"
                aria-rowindex={item.index + 2}
                aria-current={isCurrent?.(row) === true ? "true" : undefined}
                className={onOpen === undefined ? "vtable-row" : "vtable-row vtable-open"}
                style={{
                  ...grid,
                  ...(isStacked ? {} : { minHeight: rowHeight }),
                  transform: `translateY(${item.start}px)`,
                }}
                onClick={onOpen === undefined ? undefined : () => onOpen(row)}
              >
                {columns.map((column) => (
                  <div key={column.header} role="cell" className={cellClass(column)} data-label={column.header}>
                    {column.cell(row)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface PagedTableProps<T> extends Omit<VirtualTableProps<T>, "rows" | "onEnd"> {
  /** The result of `useHubPages`. */
  query: {
    first: unknown;
    rows: readonly T[];
    error: unknown;
    retry: () => void;
    readMore: (() => void) | undefined;
  };
  empty: EmptyText;
}

/** A long list that is read page by page while the user scrolls. */
export function PagedTable<T>({ query, empty, ...table }: PagedTableProps<T>) {
  return (
    <>
      {query.error !== null && <ErrorNotice error={query.error} onRetry={query.retry} />}
      {query.first !== undefined && query.rows.length === 0 ? (
        <Empty {...empty} />
      ) : (
        <VirtualTable {...table} rows={query.rows} onEnd={query.readMore} />
      )}
    </>
  );
}
