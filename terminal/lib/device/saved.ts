import { createStore, type Store } from "@comanda/ui/store.ts";
import { isPractice } from "./practice.ts";

/**
 * Values that this device stores over a reload, as JSON. If the browser refuses, and in practice, they last only as long as the
 * page: practice reads the device's values but must not change them.
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

/** Stores a value; null deletes it. */
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

/** Returns a store persisted on this device under `key`; `initial` applies while nothing is stored. */
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
