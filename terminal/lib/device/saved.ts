import { createStore, type Store } from "@comanda/ui/store.ts";
import { isPractice } from "./practice.ts";

/**
 * What this device remembers over a reload, as JSON. Where the browser refuses, and in the practice, it lasts as long as the
 * page: a practice reads what the device is, and changes nothing of it.
 */
const inMemory = new Map<string, string>();

export function readSaved<T>(key: string, isGood: (value: unknown) => value is T): T | null {
  const text = inMemory.get(key) ?? readText(key);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isGood(value) ? value : null;
  } catch {
    return null;
  }
}

/** Null forgets. */
export function save(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  if (isPractice) return void inMemory.set(key, text);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    inMemory.delete(key);
  } catch {
    inMemory.set(key, text);
  }
}

function readText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** A store of what this device remembers under `key`; `initial` before there is anything. */
export function savedStore<T>(key: string, isGood: (value: unknown) => value is T, initial: T): Store<T> {
  const store = createStore(readSaved(key, isGood) ?? initial);
  return {
    ...store,
    set(next: T) {
      save(key, next);
      store.set(next);
    },
  };
}
