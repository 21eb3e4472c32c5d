import { desktopTerminal } from "../lib/device/desktop.ts";
import { isPractice } from "../lib/device/practice.ts";

/** The desktop app shows the page from its own files, below which there is no practice hub. */
export function canPractise(): boolean {
  return !isPractice && desktopTerminal() === null;
}

/** Loads the page again for the practice. */
export function goToPractice(): void {
  location.assign(`${location.pathname}?practice`);
}

/** Back to work. */
export function leavePractice(): void {
  location.assign(location.pathname);
}
