import { readSaved, save } from "./saved.ts";

/** More than a device is in the middle of. */
const MOST = 20;

/** What was begun on single checks or shifts and is not on them yet, under this key over a reload. */
export function keptById<T>(key: string, isGood: (value: unknown) => value is T) {
  type Kept = readonly (readonly [id: string, value: T])[];
  const isKept = (saved: unknown): saved is Kept =>
    Array.isArray(saved) && saved.every((each) => Array.isArray(each) && isGood(each[1]));
  const all = (): Kept => readSaved(key, isKept) ?? [];
  const without = (isOut: (id: string) => boolean): Kept => all().filter(([each]) => !isOut(each));
  return {
    read: (id: string): T | undefined => all().find(([each]) => each === id)?.[1],
    keep(id: string, value: T): void {
      save(key, [...without((each) => each === id), [id, value]].slice(-MOST));
    },
    forget: (isOver: (id: string) => boolean): void => save(key, without(isOver)),
  };
}
