import { desktopTerminal } from "../lib/device/desktop.ts";
import { isPractice } from "../lib/device/practice.ts";

/** Whether the practice is available: the desktop app shows the page from its own files, without a practice hub. */
export function canPractise(): boolean {
  return !isPractice && desktopTerminal() === null;
}

/** Reloads the page on the practice hub. */
export function goToPractice(): void {
  location.assign(`${location.pathname}?practice`);
}

/** Reloads the page on the real hub. */
export function leavePractice(): void {
  location.assign(location.pathname);
}
