import { useCallback, useState, type RefCallback } from "react";

/** Whether the element that gets the ref is narrower than `minWidth` CSS px: known before it is first painted, and followed. */
export function useNarrow(minWidth: number): [ref: RefCallback<HTMLElement>, isNarrow: boolean] {
  const [isNarrow, setNarrow] = useState(false);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      const measure = () => setNarrow(element.clientWidth < minWidth);
      measure();
      const observer = new ResizeObserver(measure);
      observer.observe(element);
      return () => observer.disconnect();
    },
    [minWidth],
  );
  return [ref, isNarrow];
}
