/** Gives the focus to what is shown now, where it was on something that has gone: the next key begins there, and it is read out. */
export function focusWhereLost(shown: HTMLElement | null): void {
  if (document.activeElement === document.body) shown?.focus({ preventScroll: true });
}
