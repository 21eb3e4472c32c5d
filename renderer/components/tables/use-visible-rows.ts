import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useState, type RefObject } from "react";
import type { Found } from "../../lib/found.ts";
import { usePrinting } from "../../lib/use-printing.ts";

interface VisibleRowsOptions {
  /** Holds the rows, below a head of this height (px) that scrolls with them. */
  list: RefObject<HTMLElement | null>;
  headHeight?: () => number;
  /** One for each row. */
  keys: readonly (string | number)[];
  /** What a row is likely to be high, in px, until it has been measured. */
  rowHeight: number;
  /** Up to so many rows are drawn whatever is seen of them. */
  wholeUpTo: number;
  /** The row to scroll to, and what for: it is scrolled to once. -1 without. */
  foundIndex?: number;
  found?: Found | null | undefined;
}

/** So much is drawn above and below what is seen, in px. */
const BEYOND_SIGHT = 400;

/** The rows of a list to draw. Each has to carry its index as `data-index`, and `measure` as its ref. */
export interface VisibleRows {
  indexes: readonly number[];
  /** Whether there are more. */
  isPart: boolean;
  /** Room for the others, in px. */
  before: number;
  after: number;
  measure: (row: Element | null) => void;
}

/** Draws of a list that scrolls with the page only what is seen, and all of it on paper. */
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
    overscan: Math.ceil(BEYOND_SIGHT / rowHeight),
    enabled: isPart,
  });

  useEffect(() => {
    if (found === null || foundIndex === -1) return undefined;
    // A screen that was just opened goes to its top first.
    const frame = requestAnimationFrame(() => {
      if (isPart) virtual.scrollToIndex(foundIndex, { align: "center" });
      else list.current?.querySelector(`[data-index="${foundIndex}"]`)?.scrollIntoView({ block: "center" });
    });
    return () => cancelAnimationFrame(frame);
    // Only what was found decides: the row may move afterwards, and nobody wants to follow it.
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

/** Where the rows begin on the page, in px; follows what grows and shrinks above them. */
function useTop({ list, headHeight }: VisibleRowsOptions, isPart: boolean): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = list.current;
    if (!isPart || element === null) return;
    const measure = () => {
      setTop(Math.round(element.getBoundingClientRect().top + window.scrollY + (headHeight?.() ?? 0)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the functions are new with each drawing and do the same
  }, [list, isPart]);
  return top;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function ignore(): void {}
