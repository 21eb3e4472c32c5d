import { useState } from "react";
import { createStore, useStore } from "@comanda/ui/store.ts";

/** What a search has led to: its screen scrolls to it and marks it. */
export interface Found {
  kind: "table" | "customer" | "ticket" | "terminal" | "setting";
  id: string;
}

const MARKED_MS = 10_000;

const found = createStore<Found | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Has the screen that holds it show something, once it is open. */
export function showFound(next: Found): void {
  clearTimeout(timer);
  found.set(next);
  timer = setTimeout(() => found.set(null), MARKED_MS);
}

/** What a search has just led to, if it is of this kind. To be led there again makes a new object. */
export function useFound(kind: Found["kind"]): Found | null {
  const current = useStore(found);
  return current?.kind === kind ? current : null;
}

/** Lets a screen make visible what was found there, such as by clearing a filter: once, while it is drawn. */
export function useOnFound(found: Found | null, makeVisible: (found: Found) => void): void {
  const [last, setLast] = useState<Found | null>(null);
  if (found === null || found === last) return;
  setLast(found);
  makeVisible(found);
}
