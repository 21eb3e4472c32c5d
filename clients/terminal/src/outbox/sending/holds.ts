import { chooseSendable } from "./choose-sendable.ts";
import type { HubOrders } from "../entries/hub-orders.ts";
import { createdBy } from "../entries/intent-content.ts";
import { isMoney } from "../entries/outbox-entry.ts";
import type { OutboxQueue } from "../queue/outbox-queue.ts";
import { needsPerson, type Slot } from "../queue/slot.ts";

/** At most this many mutations are unanswered at once; the others wait in the storage, not in the socket. */
const MOST_IN_FLIGHT = 64;

/** Which mutations may be sent, and what holds the others. */
export function createHolds(queue: Pick<OutboxQueue, "slots" | "turns" | "before">, hubOrder: HubOrders) {
  return {
    /** What may be sent at `now` (monotonic ms). */
    sendable(now: number): Slot[] {
      const most = MOST_IN_FLIGHT - queue.slots().filter(({ inFlight }) => inFlight).length;
      return chooseSendable(queue.turns(), (slot) => isHeld(slot, now), most, isMoneyOfMissingOrder);
    },
    isAwaitingState,
    /** Whether its order may still come to be on the hub: the mutation that makes it waits, and was not refused. */
    awaitsCreation(slot: Slot, posReference: string): boolean {
      return creationBefore(slot, posReference)?.entry.refusal === null;
    },
  };

  function isHeld(slot: Slot, now: number): boolean {
    return needsPerson(slot) || slot.answer !== null || slot.inFlight || slot.notBefore > now || isAwaitingState(slot);
  }

  /** A refusal named a state that has not arrived yet. */
  function isAwaitingState({ awaiting }: Slot): boolean {
    const stored = awaiting === null ? undefined : hubOrder(awaiting.posReference);
    return stored !== undefined && awaiting !== null && stored.version < awaiting.version;
  }

  /** Money for an order that the hub did not create: it must not wait behind that, perhaps for ever. */
  function isMoneyOfMissingOrder(slot: Slot): boolean {
    const { intent, isKeptByHub } = slot.entry;
    if (!isMoney(intent) || hubOrder(intent.posReference) !== undefined) return false;
    const creation = creationBefore(slot, intent.posReference);
    if (creation === undefined || creation.answer !== null) return false;
    const isHeld = creation.awaitedToken !== null || creation.heldBy === "NO_ACTIVE_SESSION";
    return creation.entry.refusal !== null || (isHeld && isKeptByHub !== true);
  }

  function creationBefore(slot: Slot, posReference: string): Slot | undefined {
    return queue.before(slot, posReference).find(({ entry }) => createdBy(entry.intent).includes(posReference));
  }
}
