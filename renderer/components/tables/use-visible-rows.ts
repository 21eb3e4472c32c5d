import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useState, type RefObject } from "react";
import type { Found } from "../../lib/found.ts";
import { usePrinting } from "../../lib/use-printing.ts";
import { watchSize } from "../../lib/watch-size.ts";

interface VisibleRowsOptions {
  /** Holds the rows, below a head of `headHeight` px that scrolls with them. */
  list: RefObject<HTMLElement | null>;
  headHeight?: () => number;
  /** One key per row. */
  keys: readonly (string | number)[];
  /** The estimated height of a row in px, used until the row is measured. */
  rowHeight: number;
  /** Up to this number of rows, all are rendered. */
  wholeUpTo: number;
  /** Index of the row to scroll to, once for each `found`. -1 for none. */
  foundIndex?: number;
  found?: Found | null | undefined;
}

/** Rendered above and below the visible part, in px. */
const OVERSCAN_PX = 400;

/** The rows of a list to render. Each needs its index as `data-index`, and `measure` as its ref. */
export interface VisibleRows {
  indexes: readonly number[];
  /** Whether the list has more rows. */
  isPart: boolean;
  /** Space for the other rows, in px. */
  before: number;
  after: number;
  measure: (row: Element | null) => void;
}

/** Returns the visible rows of a list that scrolls with the page, or all rows for printing. */
export function useVisibleRows(options: VisibleRowsOptions): VisibleRows {
  const { list, keys, rowHeight, wholeUpTo, foundIndex = -1, found = null } = options;
  const count = keys.length;
  const isPrinting = usePrinting();
  const isPart = count > wholeUpTo && !isPrinting;
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keys[index] ?? index,
    scrollMargin: useTop(options, isPart),
    overscan: Math.ceil(OVERSCAN_PX / rowHeight),
    enabled: isPart,
  });

  useEffect(() => {
    if (found === null || foundIndex === -1) return undefined;
    // A screen that was just opened scrolls to its top first.
    const frame = requestAnimationFrame(() => {
      if (isPart) virtual.scrollToIndex(foundIndex, { align: "center" });
      else list.current?.querySelector(`[data-index="${foundIndex}"]`)?.scrollIntoView({ block: "center" });
    });
    return () => cancelAnimationFrame(frame);
    // Scrolls once per search result. The row may move afterwards, but the view must not follow it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [found, foundIndex === -1]);

  if (!isPart) return { indexes: range(count), isPart, before: 0, after: 0, measure: ignore };
  const items = virtual.getVirtualItems();
  const { scrollMargin } = virtual.options;
  const end = virtual.getTotalSize();
  return {
    indexes: items.map(({ index }) => index),
    isPart,
    before: (items[0]?.start ?? scrollMargin) - scrollMargin,
    after: end - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin),
    measure: virtual.measureElement,
  };
}

/** Returns where the rows begin on the page, in px. Follows changes in the height above them. */
function useTop({ list, headHeight }: VisibleRowsOptions, isPart: boolean): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = list.current;
    if (!isPart || element === null) return;
    return watchSize([document.body], () => {
      setTop(Math.round(element.getBoundingClientRect().top + window.scrollY + (headHeight?.() ?? 0)));
    });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the functions are new with each drawing and do the same
  }, [list, isPart]);
  return top;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function ignore(): void {}
