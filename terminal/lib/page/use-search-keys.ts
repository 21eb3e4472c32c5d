import { useLayoutEffect, useRef, type RefObject } from "react";
import { readKeys } from "./key-reader.ts";
import { useStable } from "./use-stable.ts";

/** Keys go to a screen's search field wherever the focus is: Enter in it takes what was found, and Escape clears it. */
export function useSearchKeys(keys: {
  scanned(code: string): void;
  enter(): void;
  clear(): void;
}): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  const scanned = useStable(keys.scanned);
  const pressed = useStable((event: KeyboardEvent): void => {
    const isTyping = event.target === field.current;
    // A key that is held says nothing twice: it would go on to what it has led to.
    if (event.key === "Enter" && event.repeat) event.preventDefault();
    else if (event.key === "Escape") keys.clear();
    else if (event.key === "Enter" && isTyping) {
      event.preventDefault();
      keys.enter();
    } else if (event.key.length === 1 && event.key !== " " && !isTyping) field.current?.focus();
  });
  // With the screen itself: a key that comes as soon as it can be seen must not be lost on a slow tablet.
  useLayoutEffect(() => readKeys({ scanned, pressed }, () => field.current), [scanned, pressed]);
  return field;
}
