import type { Turn } from "../queue/turns.ts";

/**
 * What may be sent now: the first mutation about every order, ticket and product that nothing holds, at most `most` of
 * them. One that is held holds everything behind it that shares a subject with it, and so does one that waits its turn.
 * `goesAhead`: a mutation that does not wait for those before it.
 */
export function chooseSendable<T>(
  turns: Iterable<Turn<T>>,
  isHeld: (slot: T) => boolean,
  most: number,
  goesAhead: (slot: T) => boolean = () => false,
): T[] {
  const sendable: T[] = [];
  if (most <= 0) return sendable;
  for (const { slot, isFirst } of turns) {
    if (!isHeld(slot) && (isFirst || goesAhead(slot))) sendable.push(slot);
    if (sendable.length >= most) break;
  }
  return sendable;
}
