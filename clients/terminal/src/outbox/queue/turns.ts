import { isOfTill, movesMoney, orderSubject, subjectsOf, ticketOf, type OutboxEntry } from "../entries/outbox-entry.ts";

/** The position of a mutation relative to earlier ones. */
export interface Turn<T> {
  slot: T;
  /** No earlier mutation blocks it. */
  isFirst: boolean;
  /** It waits for a person, or for another mutation that does. */
  isStuck: boolean;
}

/** Returns the checks that hold shares of a kitchen ticket. */
export type HoldersOf = (kitchenTicketId: string) => Iterable<string>;

/**
 * Computes which mutations have to wait for others. Mutations with a common subject are sent in order. Mutations of a ticket
 * and of the checks with dishes on it also wait for each other, but a ticket mutation that waits for a person blocks no check,
 * least of all its payment. Payments and till mutations wait for each other, because money belongs to the shift in which it
 * was taken, unless the earlier one waits for a person.
 */
export function* turnsOf<T extends { entry: OutboxEntry }>(
  slots: Iterable<T>,
  holdersOf: HoldersOf,
  needsPerson: (slot: T) => boolean,
): Generator<Turn<T>> {
  const claimed = new Set<string>();
  const stuck = new Set<string>();
  /** Checks of the tickets with earlier mutations. */
  const cooked = new Set<string>();
  let [isTillBusy, isMoneyMoving] = [false, false];
  for (const slot of slots) {
    const { intent } = slot.entry;
    const ticket = ticketOf(intent);
    const own = subjectsOf(intent);
    const checks = ticket === null ? [] : [...holdersOf(ticket)].map(orderSubject);
    const waitsFor = [...own, ...checks];
    const [isTill, isMoney] = [isOfTill(intent), movesMoney(intent)];
    const isItsTurn = !(isTillBusy && (isTill || isMoney)) && !(isMoneyMoving && isTill);
    const isFirst = isItsTurn && !waitsFor.some((each) => claimed.has(each)) && !own.some((each) => cooked.has(each));
    const isStuck = needsPerson(slot) || waitsFor.some((each) => stuck.has(each));
    for (const each of own) {
      claimed.add(each);
      if (isStuck) stuck.add(each);
    }
    if (!isStuck) for (const each of checks) cooked.add(each);
    isTillBusy ||= isTill && !isStuck;
    isMoneyMoving ||= isMoney && !isStuck;
    yield { slot, isFirst, isStuck };
  }
}
