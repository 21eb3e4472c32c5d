import { useEffect, useState } from "react";
import { useLive } from "../connection/pos.ts";
import { isPractice } from "../device/practice.ts";

/** One form is open at a time. The storage of the tab outlives a reload, and a tab that the browser unloads to save memory. */
const KEY = "comanda-terminal-form";

interface StoredDraft {
  form: string;
  /** Who typed it: another person on this device never sees it. */
  by: string;
  draft: object;
}

/**
 * Returns the state of a form. It survives a reload until the form is closed. `form` names the form and what it is about. Never
 * for PINs, passwords or the buyer of a receipt.
 */
export function useFormDraft<T extends object>(form: string, initial: () => T): [T, (change: Partial<T>) => void] {
  const by = String(useLive("actor")?.user.id);
  const begin = () => ({ by, draft: { ...initial(), ...draftOf(form, by) } });
  const [held, setHeld] = useState(begin);
  // Another person took over the device with the form open.
  if (held.by !== by) setHeld(begin());
  const { draft } = held;
  // A reload unmounts nothing.
  useEffect(() => forget, []);
  const change = (part: Partial<T>): void => {
    const changed = { by, draft: { ...draft, ...part } };
    setHeld(changed);
    const stored: StoredDraft = { form, ...changed };
    withStorage((storage) => storage.setItem(KEY, JSON.stringify(stored)));
  };
  return [draft, change];
}

/** Returns the form that was open before a reload with something typed in it, to open it again; null if there is none. */
export function useFormLeft(): string | null {
  const by = String(useLive("actor")?.user.id);
  const [left] = useState(() => {
    const stored = readStored();
    return stored?.by === by ? stored.form : null;
  });
  return left;
}

/** Drops what another person has typed. */
export function useNoDraftOfOthers(): void {
  const by = String(useLive("actor")?.user.id);
  useEffect(() => {
    const stored = readStored();
    if (stored !== null && stored.by !== by) forget();
  }, [by]);
}

function draftOf(form: string, by: string): object {
  const stored = readStored();
  return stored?.form === form && stored.by === by ? stored.draft : {};
}

function readStored(): StoredDraft | null {
  const text = withStorage((storage) => storage.getItem(KEY)) ?? "null";
  return JSON.parse(text) as StoredDraft | null;
}

function forget(): void {
  withStorage((storage) => storage.removeItem(KEY));
}

/** Without storage, and in a practice, which stores nothing, the draft lasts as long as the page. */
function withStorage<T>(act: (storage: Storage) => T): T | null {
  if (isPractice) return null;
  try {
    return act(sessionStorage);
  } catch {
    return null;
  }
}
