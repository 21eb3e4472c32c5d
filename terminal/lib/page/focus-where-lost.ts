/** Focuses the element now shown if the focused one is gone. The next key starts there, and it is read out. */
export function focusWhereLost(shown: HTMLElement | null): void {
  const { activeElement } = document;
  // The focus is lost if it is on the page, on an ancestor, or on a hidden element: a screen stays hidden for a moment until
  // the next one has loaded.
  const isLost = activeElement === null || activeElement.contains(shown) || !activeElement.checkVisibility();
  if (isLost) shown?.focus({ preventScroll: true });
}
