/** The longest pause in ms between two keys of a scanner, which acts as a keyboard; fast typing takes twice as long. */
const SCAN_GAP_MS = 50;
/** Shorter codes count as typed. */
const MIN_CHARACTERS = 4;

/** Distinguishes a scan from typing: keys in quick succession, ended by Enter or Tab, as scanners are configured. */
export function createScanDetector(): { feed(key: string, atMs: number): string | null } {
  let code = "";
  let lastAt = -Infinity;
  let isScanned = false;
  return {
    /** Returns the code if this key ends a scan, an empty text if it is a second end key of the same scan, otherwise null. */
    feed(key, atMs) {
      const isFast = atMs - lastAt <= SCAN_GAP_MS;
      lastAt = atMs;
      if (key === "Enter" || key === "Tab") {
        const scanned = code.trim();
        code = "";
        if (isFast && isScanned) return "";
        isScanned = isFast && scanned.length >= MIN_CHARACTERS;
        return isScanned ? scanned : null;
      }
      isScanned = false;
      // Keys such as Shift occur between the characters of a code.
      if (key.length === 1) code = isFast ? code + key : key;
      return null;
    },
  };
}

/** Key handlers of a screen. They are not called while a dialog is open or a form field has the focus. */
export interface KeyListener {
  scanned(code: string): void;
  /** Called for any other key. `preventDefault` keeps the key from the focused element. */
  pressed?(event: KeyboardEvent): void;
}

/** Reads the keys of the whole page until the returned function is called. Keys in `ownField` are read as well. */
export function readKeys(listener: KeyListener, ownField: () => HTMLElement | null = () => null): () => void {
  const scans = createScanDetector();
  const read = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const code = scans.feed(event.key, event.timeStamp);
    const { target } = event;
    const isForm = target instanceof Element && target.closest("input, textarea, select") !== null;
    if (isForm && target !== ownField()) return;
    // Checks the dialog, not the focus: after a tap on a sheet's text the focus is on the page.
    if (document.querySelector("dialog[open]") !== null) return;
    if (code === null) return listener.pressed?.(event);
    event.preventDefault();
    event.stopPropagation();
    if (code !== "") listener.scanned(code);
  };
  window.addEventListener("keydown", read, { capture: true });
  return () => window.removeEventListener("keydown", read, { capture: true });
}
