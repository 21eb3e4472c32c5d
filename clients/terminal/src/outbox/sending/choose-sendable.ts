import type { Turn } from "../queue/turns.ts";

/**
 * Returns what may be sent now: for each order, ticket and product the first mutation that is not held, at most `limit` in
 * total. A held or waiting mutation blocks all later ones with a common subject. `mayOvertake` returns true for mutations that
 * do not wait for earlier ones.
 */
export function chooseSendable<T>(
  turns: Iterable<Turn<T>>,
  isBlocked: (slot: T) => boolean,
  limit: number,
  mayOvertake: (slot: T) => boolean = () => false,
): T[] {
  const sendable: T[] = [];
  if (limit <= 0) return sendable;
  for (const { slot, isFirst } of turns) {
    if (!isBlocked(slot) && (isFirst || mayOvertake(slot))) sendable.push(slot);
    if (sendable.length >= limit) break;
  }
  return sendable;
}
