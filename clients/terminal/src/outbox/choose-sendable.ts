import type { Turn } from "./turns.ts";

/** Why a mutation is not sent now, although it is the first about its subjects. */
export type Hold = "in flight" | "settling" | "refused" | "awaiting a PIN" | "backing off" | "awaiting the hub's state";

/**
 * What may be sent now: the first mutation about every order, ticket and product that nothing holds, at most `most` of
 * them. One that is held holds everything behind it that shares a subject with it, and so does one that waits its turn.
 * `goesAhead`: a mutation that does not wait for those before it.
 */
export function chooseSendable<T>(
  turns: Iterable<Turn<T>>,
  holdOn: (slot: T) => Hold | null,
  most: number,
  goesAhead: (slot: T) => boolean = () => false,
): T[] {
  const sendable: T[] = [];
  if (most <= 0) return sendable;
  for (const { slot, isFirst } of turns) {
    if (holdOn(slot) === null && (isFirst || goesAhead(slot))) sendable.push(slot);
    if (sendable.length >= most) break;
  }
  return sendable;
}
