import { createStore } from "@comanda/ui/store.ts";

/** One sentence for the person who just did something, with at most one way to answer. */
export interface Notice {
  text: string;
  /** Takes back what was just done, or leads to what the sentence is about. */
  act?: { label: string; run: () => void };
}

const SHOWN_MS = 5_000;

export const notices = createStore<Notice | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a notice for five seconds; a newer one takes its place. */
export function showNotice(notice: Notice): void {
  clearTimeout(timer);
  notices.set(notice);
  timer = setTimeout(() => notices.set(null), SHOWN_MS);
}

export function hideNotice(): void {
  clearTimeout(timer);
  notices.set(null);
}
