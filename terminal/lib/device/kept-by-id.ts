import { readSaved, save } from "./saved.ts";

/** More checks or shifts than a device is in the middle of. */
const MOST = 20;

/** What this device keeps of single checks, shifts or dishes under this key over a reload; of more than `most`, the last. */
export function keptById<T>(key: string, isGood: (value: unknown) => value is T, most = MOST) {
  type Kept = readonly (readonly [id: string, value: T])[];
  const isKept = (saved: unknown): saved is Kept =>
    Array.isArray(saved) && saved.every((each) => Array.isArray(each) && isGood(each[1]));
  const all = (): Kept => readSaved(key, isKept) ?? [];
  const without = (isOut: (id: string) => boolean): Kept => all().filter(([each]) => !isOut(each));
  return {
    read: (id: string): T | undefined => all().find(([each]) => each === id)?.[1],
    keep(id: string, value: T): void {
      save(key, [...without((each) => each === id), [id, value]].slice(-most));
    },
    forget: (isOver: (id: string) => boolean): void => save(key, without(isOver)),
  };
}
