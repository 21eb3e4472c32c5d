import { useMatch } from "@comanda/ui/use-match.ts";
import { useWindowVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState, type ReactNode, type Ref } from "react";

const wide = matchMedia("(min-width: 64em)");
const roomy = matchMedia("(min-width: 100em)");

/** Returns whether the page is wide enough for columns. */
export function useWide(): boolean {
  return useMatch(wide);
}

/** Returns whether each column has room for several words. */
export function useHasRoom(): boolean {
  return useMatch(roomy);
}

/** The font size that the heights of rows are given for, in px. */
const BASE_FONT_PX = 15;

/** Returns how many times larger the letters are than usual. */
const currentTextScale = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / BASE_FONT_PX;

/** A long list that scrolls with the page. Only visible rows are rendered. */
export function Rows<T extends { id: string }>({
  label,
  rows,
  wideHeight,
  narrowHeight,
  children,
}: {
  label: string;
  rows: readonly T[];
  /** The height of a row with columns, and without, in px for letters of the usual size. */
  wideHeight: number;
  narrowHeight: (row: T) => number;
  children: (row: T) => ReactNode;
}) {
  const list = useRef<HTMLUListElement>(null);
  const isWide = useWide();
  const [top, setTop] = useState(0);
  const [textScale, setTextScale] = useState(currentTextScale);
  useLayoutEffect(() => {
    const measure = () => {
      setTop(list.current?.offsetTop ?? 0);
      setTextScale(currentTextScale());
    };
    measure();
    // Content above the list opens and closes.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => {
      const row = rows[index];
      return textScale * (isWide || row === undefined ? wideHeight : narrowHeight(row));
    },
    scrollMargin: top,
    overscan: 6,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, isWide, textScale]);
  return (
    <DrawnRows ref={list} label={label} rows={rows} virtualizer={virtualizer} top={top}>
      {children}
    </DrawnRows>
  );
}

/** The visible rows of a long list, each in its place. `top`: where the list begins in the scrolled element, in px. */
export function DrawnRows<T>({
  ref,
  label,
  rows,
  virtualizer,
  top = 0,
  children,
}: {
  ref?: Ref<HTMLUListElement>;
  label: string;
  rows: readonly T[];
  virtualizer: Pick<Virtualizer<Window, Element>, "getTotalSize" | "getVirtualItems">;
  top?: number;
  children: (row: T) => ReactNode;
}) {
  return (
    <ul ref={ref} aria-label={label} className="rows" style={{ blockSize: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start, size: height }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <li
            key={key}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            style={{ blockSize: height, transform: `translateY(${start - top}px)` }}
          >
            {children(row)}
          </li>
        );
      })}
    </ul>
  );
}
