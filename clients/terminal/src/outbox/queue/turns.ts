import { isOfTill, movesMoney, orderSubject, subjectsOf, ticketOf, type OutboxEntry } from "../entries/outbox-entry.ts";

/** Where a mutation stands among those before it. */
export interface Turn<T> {
  slot: T;
  /** It waits for none before it. */
  isFirst: boolean;
  /** It waits for a person, or for another that does. */
  isStuck: boolean;
}

/** The checks that hold shares of a kitchen ticket. */
export type HoldersOf = (kitchenTicketId: string) => Iterable<string>;

/**
 * Mutations that share a subject are sent one after the other, in their order. What is done to a ticket and what is done to a
 * check that has dishes on it wait for each other, too; but where a person has to decide about the ticket first, that holds
 * up no check, least of all its payment. Payments wait for what was done at the till before them, and that for them: money
 * belongs to the shift in which it was taken. Where a person has to decide first, nothing waits for that.
 */
export function* turnsOf<T extends { entry: OutboxEntry }>(
  slots: Iterable<T>,
  holdersOf: HoldersOf,
  needsPerson: (slot: T) => boolean,
): Generator<Turn<T>> {
  const taken = new Set<string>();
  const stuck = new Set<string>();
  /** The checks of the tickets that something is done to. */
  const cooked = new Set<string>();
  let [isTillBusy, isMoneyMoving] = [false, false];
  for (const slot of slots) {
    const { intent } = slot.entry;
    const ticket = ticketOf(intent);
    const own = subjectsOf(intent);
    const checks = ticket === null ? [] : [...holdersOf(ticket)].map(orderSubject);
    const waitsFor = [...own, ...checks];
    const [ofTill, ofMoney] = [isOfTill(intent), movesMoney(intent)];
    const isItsTurn = !(isTillBusy && (ofTill || ofMoney)) && !(isMoneyMoving && ofTill);
    const isFirst = isItsTurn && !waitsFor.some((each) => taken.has(each)) && !own.some((each) => cooked.has(each));
    const isStuck = needsPerson(slot) || waitsFor.some((each) => stuck.has(each));
    for (const each of own) {
      taken.add(each);
      if (isStuck) stuck.add(each);
    }
    if (!isStuck) for (const each of checks) cooked.add(each);
    isTillBusy ||= ofTill && !isStuck;
    isMoneyMoving ||= ofMoney && !isStuck;
    yield { slot, isFirst, isStuck };
  }
}
