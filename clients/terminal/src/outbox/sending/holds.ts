import { chooseSendable } from "./choose-sendable.ts";
import type { HubOrders } from "../entries/hub-orders.ts";
import { createdBy } from "../entries/intent-content.ts";
import { isMoney } from "../entries/outbox-entry.ts";
import type { OutboxQueue } from "../queue/outbox-queue.ts";
import { needsPerson, type Slot } from "../queue/slot.ts";

/** Limit of unanswered mutations. Further ones wait in the storage, not in the socket. */
const MAX_IN_FLIGHT = 64;

/** Determines which mutations may be sent. */
export function createHolds(queue: Pick<OutboxQueue, "slots" | "turns" | "before">, hubOrder: HubOrders) {
  return {
    /** Returns what may be sent at `now` (monotonic ms). */
    sendable(now: number): Slot[] {
      const limit = MAX_IN_FLIGHT - queue.slots().filter(({ inFlight }) => inFlight).length;
      return chooseSendable(queue.turns(), (slot) => isBlocked(slot, now), limit, isMoneyOfMissingOrder);
    },
    isAwaitingState,
    /** Whether the order may still be created on the hub: the mutation that creates it is queued and not refused. */
    awaitsCreation(slot: Slot, posReference: string): boolean {
      return creationBefore(slot, posReference)?.entry.refusal === null;
    },
  };

  function isBlocked(slot: Slot, now: number): boolean {
    return needsPerson(slot) || slot.answer !== null || slot.inFlight || slot.notBefore > now || isAwaitingState(slot);
  }

  /** Whether a refusal named a state that has not arrived yet. */
  function isAwaitingState({ awaiting }: Slot): boolean {
    const stored = awaiting === null ? undefined : hubOrder(awaiting.posReference);
    return stored !== undefined && awaiting !== null && stored.version < awaiting.version;
  }

  /** Whether a payment is for an order whose creation was refused or is held. It must not wait for that, perhaps for ever. */
  function isMoneyOfMissingOrder(slot: Slot): boolean {
    const { intent, isKeptByHub } = slot.entry;
    if (!isMoney(intent) || hubOrder(intent.posReference) !== undefined) return false;
    const creation = creationBefore(slot, intent.posReference);
    if (creation === undefined || creation.answer !== null) return false;
    const isWaiting = creation.pendingToken !== null || creation.heldBy === "NO_ACTIVE_SESSION";
    return creation.entry.refusal !== null || (isWaiting && isKeptByHub !== true);
  }

  function creationBefore(slot: Slot, posReference: string): Slot | undefined {
    return queue.before(slot, posReference).find(({ entry }) => createdBy(entry.intent).includes(posReference));
  }
}
