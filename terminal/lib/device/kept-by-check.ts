import { readSaved, save } from "./saved.ts";

/** More than a device is in the middle of. */
const MOST = 20;

/** What was begun on single checks and is not on them yet, under this key over a reload. */
export function keptByCheck<T>(key: string, isGood: (value: unknown) => value is T) {
  type Kept = readonly (readonly [posReference: string, value: T])[];
  const isKept = (saved: unknown): saved is Kept =>
    Array.isArray(saved) && saved.every((each) => Array.isArray(each) && isGood(each[1]));
  const all = (): Kept => readSaved(key, isKept) ?? [];
  const without = (isOut: (posReference: string) => boolean): Kept => all().filter(([each]) => !isOut(each));
  return {
    read: (posReference: string): T | undefined => all().find(([each]) => each === posReference)?.[1],
    keep(posReference: string, value: T): void {
      save(key, [...without((each) => each === posReference), [posReference, value]].slice(-MOST));
    },
    forget: (isOver: (posReference: string) => boolean): void => save(key, without(isOver)),
  };
}
