import { readSaved, save } from "./saved.ts";

/** More checks or shifts than a device has in progress. */
const MAX_ENTRIES = 20;

/** Stores values by id under this key over a reload, for checks, shifts or dishes; beyond `limit`, the oldest are dropped. */
export function savedById<T>(key: string, isGood: (value: unknown) => value is T, limit = MAX_ENTRIES) {
  type Entries = readonly (readonly [id: string, value: T])[];
  const areEntries = (saved: unknown): saved is Entries =>
    Array.isArray(saved) && saved.every((each) => Array.isArray(each) && isGood(each[1]));
  const all = (): Entries => readSaved(key, areEntries) ?? [];
  const without = (isOut: (id: string) => boolean): Entries => all().filter(([each]) => !isOut(each));
  return {
    read: (id: string): T | undefined => all().find(([each]) => each === id)?.[1],
    keep(id: string, value: T): void {
      save(key, [...without((each) => each === id), [id, value]].slice(-limit));
    },
    forget: (isOver: (id: string) => boolean): void => save(key, without(isOver)),
  };
}
