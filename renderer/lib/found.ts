import { useState } from "react";
import { createStore, useStore } from "@comanda/ui/store.ts";

/** The object that the user opened from a search. Its screen scrolls to it and marks it. */
export interface Found {
  kind: "table" | "customer" | "ticket" | "terminal" | "setting";
  id: string;
}

const MARKED_MS = 10_000;

const found = createStore<Found | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Makes the object's screen show and mark it, once that screen is open. */
export function showFound(next: Found): void {
  clearTimeout(timer);
  found.set(next);
  timer = setTimeout(() => found.set(null), MARKED_MS);
}

/** Returns the object last opened from a search, if it is of this kind. Opening it again makes a new object. */
export function useFound(kind: Found["kind"]): Found | null {
  const current = useStore(found);
  return current?.kind === kind ? current : null;
}

/** Lets a screen make a found object visible, such as by clearing a filter. Runs once per object, while rendering. */
export function useOnFound(found: Found | null, makeVisible: (found: Found) => void): void {
  const [last, setLast] = useState<Found | null>(null);
  if (found === null || found === last) return;
  setLast(found);
  makeVisible(found);
}
