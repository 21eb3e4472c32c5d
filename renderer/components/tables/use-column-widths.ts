import { useLayoutEffect, useState, type RefObject } from "react";

/**
 * Returns the widths of a table's columns in px, as the first rendered rows make them, or null if they are not needed. Fixed
 * widths keep rows that come into view from moving the columns and changing the height of every row.
 */
export function useColumnWidths(
  list: RefObject<HTMLElement | null>,
  isPart: boolean,
  headers: string,
): readonly number[] | null {
  const [widths, setWidths] = useState<readonly number[] | null>(null);
  useLayoutEffect(() => {
    const element = list.current;
    const table = element?.querySelector("table") ?? null;
    if (!isPart || element === null || table === null) return;
    let width = 0;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      setWidths(naturalWidths(table));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [list, isPart, headers]);
  return isPart ? widths : null;
}

/** Returns the width that a list's content would have with automatic column widths. */
export function naturalScrollWidth(list: HTMLElement): number {
  const table = list.querySelector("table");
  return table === null ? list.scrollWidth : withoutWidths(table, () => list.scrollWidth);
}

/** Returns the automatic column widths, or null if each row is shown as a card, without column heads. */
function naturalWidths(table: HTMLTableElement): number[] | null {
  // Not rounded: the sum of many rounded columns could exceed the table.
  const widthOf = (head: Element) => head.getBoundingClientRect().width;
  const widths = withoutWidths(table, () => [...table.querySelectorAll("th")].map(widthOf));
  return widths.includes(0) ? null : widths;
}

/** Measures while the columns have their automatic widths. */
function withoutWidths<T>(table: HTMLTableElement, measure: () => T): T {
  const { tableLayout, width } = table.style;
  const columns = table.querySelector("colgroup");
  table.style.tableLayout = "auto";
  table.style.width = "";
  if (columns !== null) columns.style.display = "none";
  const measured = measure();
  table.style.tableLayout = tableLayout;
  table.style.width = width;
  if (columns !== null) columns.style.display = "";
  return measured;
}
