import { useEffect, useState } from "react";

type Focusable = HTMLElement | SVGElement;

/** What opened the outermost dialog: one that takes the place of another closes to where that one was opened. */
let opener: Focusable | null = null;

/**
 * For a dialog that is there only while it is open: gives the focus back to what opened it, or to the screen where that is
 * gone. Where somebody has gone on to something else, the focus stays there.
 */
export function useFocusReturn(): void {
  const [trigger] = useState(rememberTrigger);
  useEffect(
    () => () => {
      for (const target of [trigger, opener, document.querySelector("main")]) {
        // A button that is busy or gone cannot take it.
        if (document.activeElement !== document.body && document.activeElement !== null) return;
        target?.focus({ preventScroll: true });
      }
    },
    [trigger],
  );
}

function rememberTrigger(): Focusable | null {
  const { activeElement } = document;
  // A menu closes with the choice: what opened it stays.
  const menu = activeElement?.closest('[role="menu"]')?.getAttribute("aria-labelledby") ?? null;
  const trigger = menu === null ? activeElement : document.querySelector(`#${CSS.escape(menu)}`);
  if (!isFocusable(trigger)) return null;
  if (trigger.closest('[role="dialog"]') === null) opener = trigger;
  return trigger;
}

function isFocusable(element: Element | null): element is Focusable {
  return (element instanceof HTMLElement || element instanceof SVGElement) && element !== document.body;
}
