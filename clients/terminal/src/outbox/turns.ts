import { subjectsOf, type OutboxEntry } from "./outbox-entry.ts";

/** Where a mutation stands among those before it. */
export interface Turn<T> {
  slot: T;
  /** None before it is about the same. */
  isFirst: boolean;
  /** It waits for a person, or for another that does. */
  isStuck: boolean;
}

/** Mutations that share a subject are sent one after the other, in their order. */
export function* turnsOf<T extends { entry: OutboxEntry }>(
  slots: Iterable<T>,
  needsPerson: (slot: T) => boolean,
): Generator<Turn<T>> {
  const taken = new Set<string>();
  const stuck = new Set<string>();
  for (const slot of slots) {
    const subjects = subjectsOf(slot.entry.intent);
    const isFirst = !subjects.some((subject) => taken.has(subject));
    const isStuck = needsPerson(slot) || subjects.some((subject) => stuck.has(subject));
    for (const subject of subjects) {
      taken.add(subject);
      if (isStuck) stuck.add(subject);
    }
    yield { slot, isFirst, isStuck };
  }
}
