import { useEffect, useRef } from "react";
import { useLocation } from "wouter";

/**
 * Going to another screen begins at its top, with the focus on its main part, whose name a screen reader says. A tab of
 * the same screen keeps the focus where it is.
 */
export function useScreenFocus(): void {
  const [location] = useLocation();
  const [, screen] = location.split("/");
  const shown = useRef(screen);
  useEffect(() => {
    if (shown.current === screen) return;
    shown.current = screen;
    window.scrollTo(0, 0);
    document.querySelector("main")?.focus({ preventScroll: true });
  }, [screen]);
}
