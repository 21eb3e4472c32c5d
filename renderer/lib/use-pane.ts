import { useEffect, useRef, type RefObject } from "react";
import { useEscape } from "./use-escape.ts";

/**
 * For a pane that opens beside its list: takes the focus, closes on Escape, and then returns the focus to the element that had
 * it. A page that begins with an open pane keeps its focus.
 */
export function usePane<E extends HTMLElement>(close: () => void): RefObject<E | null> {
  const pane = useRef<E>(null);
  useEscape(true, close);
  useEffect(() => {
    const opener = document.activeElement;
    if (!(opener instanceof HTMLElement) || opener.matches("body, main")) return undefined;
    pane.current?.focus({ preventScroll: true });
    return () => {
      // Unmounting the pane dropped its focus. If the user has focused something else, the focus stays there.
      if (document.activeElement === document.body) opener.focus();
    };
  }, []);
  return pane;
}
