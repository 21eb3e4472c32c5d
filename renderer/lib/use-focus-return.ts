import { useEffect, useState } from "react";

type Focusable = HTMLElement | SVGElement;

/** The element that opened the outermost dialog. A dialog that replaces another one returns the focus to it. */
let opener: Focusable | null = null;

/**
 * For a dialog that is mounted only while open: returns the focus to the element that opened it, or to the screen if that
 * element is gone. If the user has focused something else, the focus stays there.
 */
export function useFocusReturn(): void {
  const [trigger] = useState(rememberTrigger);
  useEffect(
    () => () => {
      for (const target of [trigger, opener, document.querySelector("main")]) {
        // Tries the next target if a button could not take the focus because it is busy or gone.
        if (document.activeElement !== document.body && document.activeElement !== null) return;
        target?.focus({ preventScroll: true });
      }
    },
    [trigger],
  );
}

function rememberTrigger(): Focusable | null {
  const { activeElement } = document;
  // A menu closes with the choice. Its button stays.
  const menu = activeElement?.closest('[role="menu"]')?.getAttribute("aria-labelledby") ?? null;
  const trigger = menu === null ? activeElement : document.querySelector(`#${CSS.escape(menu)}`);
  if (!isFocusable(trigger)) return null;
  if (trigger.closest('[role="dialog"]') === null) opener = trigger;
  return trigger;
}

function isFocusable(element: Element | null): element is Focusable {
  return (element instanceof HTMLElement || element instanceof SVGElement) && element !== document.body;
}
