import { flushSync } from "react-dom";

/**
 * Calls `measure` now and whenever an element may have a new size, until the returned function is called. A new size of the
 * window is rendered before it is painted; rendering inside a ResizeObserver would be a loop, so what it finds comes a frame later.
 */
export function watchSize(elements: readonly Element[], measure: () => void): () => void {
  const observer = new ResizeObserver(measure);
  for (const element of elements) observer.observe(element);
  const resized = () => flushSync(measure);
  addEventListener("resize", resized);
  measure();
  return () => {
    observer.disconnect();
    removeEventListener("resize", resized);
  };
}
