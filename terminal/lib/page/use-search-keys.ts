import { useLayoutEffect, useRef, type RefObject } from "react";
import { readKeys } from "./key-reader.ts";
import { useStable } from "./use-stable.ts";

/** Sends keys to a screen's search field wherever the focus is: Enter in the field takes the hit, Escape clears it. */
export function useSearchKeys(keys: {
  scanned(code: string): void;
  enter(): void;
  clear(): void;
}): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  const scanned = useStable(keys.scanned);
  const pressed = useStable((event: KeyboardEvent): void => {
    const isTyping = event.target === field.current;
    // A held Enter must not act again on the screen that it has opened.
    if (event.key === "Enter" && event.repeat) event.preventDefault();
    else if (event.key === "Escape") keys.clear();
    else if (event.key === "Enter" && isTyping) {
      event.preventDefault();
      keys.enter();
    } else if (event.key.length === 1 && event.key !== " " && !isTyping) field.current?.focus();
  });
  // Subscribes before paint: on a slow tablet, a key pressed as soon as the screen is visible must not be lost.
  useLayoutEffect(() => readKeys({ scanned, pressed }, () => field.current), [scanned, pressed]);
  return field;
}
