/** The longest pause between two keys of a scanner, which is a keyboard; a fast hand needs twice as long. */
const SCAN_GAP_MS = 50;
/** Shorter ones are typed. */
const FEWEST_CHARACTERS = 4;

/** Tells a scan from typing: keys one right after the other, and Enter or a tab, as scanners are set to end. */
export function createScanDetector(): { feed(key: string, atMs: number): string | null } {
  let code = "";
  let lastAt = -Infinity;
  let isScanned = false;
  return {
    /** Answers the code when this key ends a scan; nothing of it when it is the second key that ends the same scan. */
    feed(key, atMs) {
      const isFast = atMs - lastAt <= SCAN_GAP_MS;
      lastAt = atMs;
      if (key === "Enter" || key === "Tab") {
        const scanned = code.trim();
        code = "";
        if (isFast && isScanned) return "";
        isScanned = isFast && scanned.length >= FEWEST_CHARACTERS;
        return isScanned ? scanned : null;
      }
      isScanned = false;
      // Shift and the like come between the characters of a code.
      if (key.length === 1) code = isFast ? code + key : key;
      return null;
    },
  };
}

/** What a screen does with keys; it hears of none while a dialog is open or a field of a form has the focus. */
export interface KeyListener {
  scanned(code: string): void;
  /** Any other key. `preventDefault` keeps it from the element that has the focus. */
  pressed?(event: KeyboardEvent): void;
}

/** Reads the keys of the whole page until the answer is called. `ownField`: a field whose keys are the screen's as well. */
export function readKeys(listener: KeyListener, ownField: () => HTMLElement | null = () => null): () => void {
  const scans = createScanDetector();
  const read = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const code = scans.feed(event.key, event.timeStamp);
    const { target } = event;
    const isForm = target instanceof Element && target.closest("input, textarea, select") !== null;
    if (isForm && target !== ownField()) return;
    // Whatever has the focus: a tap on a sheet's text leaves it with the page.
    if (document.querySelector("dialog[open]") !== null) return;
    if (code === null) return listener.pressed?.(event);
    event.preventDefault();
    event.stopPropagation();
    if (code !== "") listener.scanned(code);
  };
  window.addEventListener("keydown", read, { capture: true });
  return () => window.removeEventListener("keydown", read, { capture: true });
}
