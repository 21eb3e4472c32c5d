/** Gives the focus to what is shown now, where it was on something that has gone: the next key begins there, and it is read out. */
export function focusWhereLost(shown: HTMLElement | null): void {
  const { activeElement, body } = document;
  // What is hidden keeps it for a moment, as a screen does until the next one has been fetched.
  if (activeElement === body || activeElement?.checkVisibility() === false) shown?.focus({ preventScroll: true });
}
