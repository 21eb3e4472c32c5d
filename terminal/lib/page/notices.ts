import { createStore } from "@comanda/ui/store.ts";

/** A sentence for the user about their last act, with at most one button. */
export interface Notice {
  text: string;
  /** Undoes the act, or opens what the sentence is about. */
  act?: { label: string; run: () => void };
}

const SHOWN_MS = 5_000;

export const notices = createStore<Notice | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a notice for five seconds; a newer one replaces it. */
export function showNotice(notice: Notice): void {
  clearTimeout(timer);
  notices.set(notice);
  timer = setTimeout(() => notices.set(null), SHOWN_MS);
}

export function hideNotice(): void {
  clearTimeout(timer);
  notices.set(null);
}
