import { useLayoutEffect, useState, type RefObject } from "react";

/**
 * The widths of a table's columns in px, as the rows make them that are drawn first; null where they need not be known.
 * Without them the rows that come into sight would move the columns, and with those the height of every row.
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

/** How wide the content of a list would be if nobody had set the columns of its table. */
export function naturalScrollWidth(list: HTMLElement): number {
  const table = list.querySelector("table");
  return table === null ? list.scrollWidth : withoutWidths(table, () => list.scrollWidth);
}

/** As wide as the columns would be if nobody had set them; null where each row is shown as a card, without heads. */
function naturalWidths(table: HTMLTableElement): number[] | null {
  // Not rounded: many columns would be wider together than the table.
  const widthOf = (head: Element) => head.getBoundingClientRect().width;
  const widths = withoutWidths(table, () => [...table.querySelectorAll("th")].map(widthOf));
  return widths.includes(0) ? null : widths;
}

/** What is measured while the columns are as wide as they would be if nobody had set them. */
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
