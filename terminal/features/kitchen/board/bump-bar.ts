/** What a key of a bump bar does. */
export type BumpBarCommand =
  | { name: "select"; place: number }
  | { name: "bump" | "seen" | "recall" | "previous" | "next" | "lineUp" | "lineDown" | "clear" };

/** A bump bar is a keyboard; for one with other keys change them here. */
const keys: Readonly<Record<string, BumpBarCommand>> = {
  ...Object.fromEntries(
    Array.from("1234567890", (digit, place): [string, BumpBarCommand] => [digit, { name: "select", place }]),
  ),
  Enter: { name: "bump" },
  " ": { name: "seen" },
  Backspace: { name: "recall" },
  ArrowLeft: { name: "previous" },
  ArrowRight: { name: "next" },
  ArrowUp: { name: "lineUp" },
  ArrowDown: { name: "lineDown" },
  Escape: { name: "clear" },
};

/** The command of a key; null for other keys, and while somebody types or a sheet is open. */
export function commandOf(event: KeyboardEvent): BumpBarCommand | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const { target } = event;
  if (target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null) return null;
  // Whatever has the focus: a tap on a sheet's text leaves it with the page.
  if (document.querySelector("dialog[open]") !== null) return null;
  return keys[event.key] ?? null;
}
