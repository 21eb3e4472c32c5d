import { useCallback, useState, type RefCallback } from "react";
import { watchSize } from "./watch-size.ts";

/**
 * Returns a ref, and whether its element is narrower than `minWidth` CSS px or than content that did not fit while wide. Known
 * before the first paint, and kept up to date as the element and its content change. `contentWidth` must be a stable function.
 */
export function useNarrow(
  minWidth: number,
  contentWidth: (element: HTMLElement) => number = scrollWidthOf,
): [ref: RefCallback<HTMLElement>, isNarrow: boolean] {
  const [isNarrow, setNarrow] = useState(false);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      let needed = minWidth;
      const measure = () => {
        const { clientWidth } = element;
        const width = clientWidth >= needed ? contentWidth(element) : 0;
        if (width > clientWidth) needed = width;
        setNarrow(clientWidth < needed);
      };
      return watchSize([element, ...element.children], measure);
    },
    [minWidth, contentWidth],
  );
  return [ref, isNarrow];
}

function scrollWidthOf({ scrollWidth }: HTMLElement): number {
  return scrollWidth;
}
