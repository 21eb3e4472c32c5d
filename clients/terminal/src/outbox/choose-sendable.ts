import { subjectsOf, type OutboxEntry } from "./outbox-entry.ts";

/** Why a mutation is not sent now, although it is the first about its subjects. */
export type Hold = "in flight" | "settling" | "refused" | "awaiting a PIN" | "backing off" | "awaiting the hub's state";

/**
 * What may be sent now: the first mutation about every order, ticket and product that nothing holds, at most `most` of
 * them. One that is held holds everything behind it that shares a subject with it, and so does one that waits its turn.
 * `goesAhead`: a mutation that does not wait for those before it.
 */
export function chooseSendable<T extends { entry: OutboxEntry }>(
  slots: readonly T[],
  holdOn: (slot: T) => Hold | null,
  most: number,
  goesAhead: (slot: T) => boolean = () => false,
): T[] {
  const taken = new Set<string>();
  const sendable: T[] = [];
  for (const slot of slots) {
    if (sendable.length >= most) break;
    const subjects = subjectsOf(slot.entry.intent);
    const isFirst = !subjects.some((subject) => taken.has(subject));
    if (holdOn(slot) === null && (isFirst || goesAhead(slot))) sendable.push(slot);
    for (const subject of subjects) taken.add(subject);
  }
  return sendable;
}
