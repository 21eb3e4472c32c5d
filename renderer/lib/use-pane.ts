import { useEffect, useRef, type RefObject } from "react";
import { useEscape } from "./use-escape.ts";

/**
 * A pane that opens beside what it belongs to: it takes the focus from whatever opened it, closes on Escape, and then
 * gives the focus back. A page that begins with an open pane keeps its focus.
 */
export function usePane<E extends HTMLElement>(close: () => void): RefObject<E | null> {
  const pane = useRef<E>(null);
  useEscape(true, close);
  useEffect(() => {
    const opener = document.activeElement;
    if (!(opener instanceof HTMLElement) || opener.matches("body, main")) return undefined;
    pane.current?.focus({ preventScroll: true });
    return () => {
      // With the pane its focus is gone; where somebody has gone on to something else, it stays there.
      if (document.activeElement === document.body) opener.focus();
    };
  }, []);
  return pane;
}
