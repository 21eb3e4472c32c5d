import { TerminalRefusal } from "../../refusal.ts";
import { isUnsent, ordersOf, type OutboxEntry, type Refusal } from "../entries/outbox-entry.ts";
import { reportOutbox, type OutboxState } from "../reports/report-outbox.ts";
import { needsPerson, newSlot, type PendingToken, type Slot } from "./slot.ts";
import { turnsOf, type HoldersOf } from "./turns.ts";

export type OutboxQueue = ReturnType<typeof createOutboxQueue>;

/** The mutations of one device, in order. */
export function createOutboxQueue(loaded: readonly OutboxEntry[], holdersOf: HoldersOf) {
  let slots = loaded.map((entry) => newSlot(structuredClone(entry), true));
  let lastPlace = Math.max(0, ...loaded.map(({ place }) => place));
  const idleWaiters: (() => void)[] = [];

  return {
    slots: (): readonly Slot[] => slots,
    nextPlace: () => lastPlace + 1,
    /** Adds a mutation at its place, and removes `old`, which it replaces. */
    put(entry: OutboxEntry, old?: Slot): Slot {
      lastPlace = Math.max(lastPlace, entry.place);
      const added = newSlot(entry, false);
      slots = [...slots.filter((slot) => slot !== old), added].toSorted(
        (one, other) => one.entry.place - other.entry.place,
      );
      return added;
    },
    drop(slot: Slot): void {
      slots = slots.filter((other) => other !== slot);
      resolveIdle();
    },
    /** Turns a mutation into a conflict for a person's decision. */
    refuse(slot: Slot, refusal: Refusal): void {
      slot.pendingToken = null;
      slot.entry.refusal = refusal;
      slot.entry.message = null;
      resolveIdle();
    },
    /** Holds a mutation until its actor has entered the PIN again. */
    awaitToken(slot: Slot, pending: PendingToken): void {
      slot.pendingToken = pending;
      resolveIdle();
    },
    unanswered: (mutationId: string) =>
      slots.find(({ entry, answer }) => entry.mutationId === mutationId && answer === null),
    /** Returns a mutation that waits for a person. Throws TerminalRefusal NOT_FOUND if there is none. */
    refused(id: string): Slot {
      const slot = slots.find((each) => each.entry.id === id && needsPerson(each));
      if (slot === undefined) throw new TerminalRefusal("NOT_FOUND", `there is no conflict ${id}`);
      return slot;
    },
    turns: () => turnsOf(slots, holdersOf, needsPerson),
    /** Returns the mutations that a refused mutation blocks, directly or through other mutations. */
    waitingFor(refused: Slot): Slot[] {
      const others = slots.filter((slot) => slot === refused || slot.entry.refusal === null);
      return [...turnsOf(others, holdersOf, (slot) => slot === refused)].flatMap(({ slot, isStuck }) =>
        isStuck && slot !== refused ? [slot] : [],
      );
    },
    /** Later mutations of the same order. */
    behind: ({ entry: { place } }: Slot, posReference: string) =>
      slotsOf(posReference).filter(({ entry }) => entry.place > place),
    /** Earlier mutations of the same order. */
    before: ({ entry: { place } }: Slot, posReference: string) =>
      slotsOf(posReference).filter(({ entry }) => entry.place < place),
    entriesOf: (posReference: string) => slotsOf(posReference).map(({ entry }) => entry),
    entries: () => slots.map(({ entry }) => entry),
    orders: () => [...new Set(slots.flatMap(({ entry }) => ordersOf(entry.intent)))],
    report: (): OutboxState => reportOutbox(slots.filter(({ answer, entry }) => answer === null && isUnsent(entry))),
    /** Resolves once all mutations are answered and in the local copy, except those that wait for a person. */
    idle(): Promise<void> {
      return new Promise((resolve) => {
        idleWaiters.push(resolve);
        resolveIdle();
      });
    },
  };

  function slotsOf(posReference: string): Slot[] {
    return slots.filter(({ entry }) => ordersOf(entry.intent).includes(posReference));
  }

  function resolveIdle(): void {
    if (idleWaiters.length === 0) return;
    for (const { isStuck } of turnsOf(slots, holdersOf, needsPerson)) if (!isStuck) return;
    for (const resolve of idleWaiters.splice(0)) resolve();
  }
}
