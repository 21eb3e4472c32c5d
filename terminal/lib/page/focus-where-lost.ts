/** Gives the focus to what is shown now, where it was on something that has gone: the next key begins there, and it is read out. */
export function focusWhereLost(shown: HTMLElement | null): void {
  const { activeElement } = document;
  // The page, or a place in it, has it until what it shows has been fetched. What is hidden keeps it for a moment, as a
  // screen does until the next one is there.
  const isLost = activeElement === null || activeElement.contains(shown) || !activeElement.checkVisibility();
  if (isLost) shown?.focus({ preventScroll: true });
}
