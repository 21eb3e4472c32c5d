import type { StoredOrder } from "@comanda/protocol";
import type { PricedMenu } from "../../orders/reprice-line.ts";
import type { HubOrders } from "../entries/hub-orders.ts";
import { passOnContent, passOnDiscarded } from "./follow-answer.ts";
import { lastSeqOf } from "../entries/intent-content.ts";
import { isMoney, paymentIdOf, type Intent, type MutationAnswer, type OutboxEntry } from "../entries/outbox-entry.ts";
import type { OutboxQueue } from "../queue/outbox-queue.ts";
import type { OutboxWrites } from "../queue/outbox-writes.ts";
import type { Slot } from "../queue/slot.ts";

export type Settling = ReturnType<typeof createSettling>;

/** Removes mutations from the outbox: from storage once answered, from the view once their effect is in the hub's state. */
export function createSettling(deps: {
  queue: OutboxQueue;
  writes: Pick<OutboxWrites, "erase" | "keep" | "keepAnswered">;
  hub: { order: HubOrders; seq: () => number };
  menu: () => PricedMenu | null;
  /** Runs `act` once the hub's state up to `seq` is cached and survives a reload. */
  whenCached: (seq: number, act: () => void) => void;
  /** Called after a mutation has left the view. */
  dropped: (entry: OutboxEntry) => void;
}) {
  const { queue, writes, hub, menu, whenCached, dropped } = deps;
  const answered = (): Slot[] => queue.slots().filter(({ answer }) => answer !== null);

  return {
    /** Erases an answered mutation once its effect is cached. Until then a reload sends it again under its mutationId. */
    erase(slot: Slot, answer: MutationAnswer): void {
      if (slot.entry.isAnswered !== true) writes.keepAnswered(slot);
      whenCached(lastSeqOf(answer), () => writes.erase(slot));
    },
    /** Drops answered mutations from the view once their effect has come back, and updates their successors. */
    dropSettled(): void {
      for (const slot of answered()) {
        if (hub.seq() < lastSeqOf(slot.answer)) continue;
        for (const later of passOnContent(queue, slot, { hubOrder: hub.order, menu: menu() })) writes.keep(later);
        drop(slot);
      }
    },
    /** Drops answered mutations whose effects are in a history that the hub no longer has. */
    dropAnswered(): void {
      for (const slot of answered()) drop(slot);
    },
    /** Drops payments that a manager has applied on the hub, and the mutations that led to the paid check. */
    dropApplied(): void {
      for (const slot of queue.slots()) {
        const stored = slot.inFlight || slot.answer !== null ? undefined : checkPaidBy(slot.entry.intent);
        if (stored === undefined) continue;
        const { posReference, version } = stored;
        for (const earlier of queue.before(slot, posReference)) {
          if (!earlier.inFlight && earlier.answer === null && isPartOfCheck(earlier.entry.intent)) discard(earlier);
        }
        const { mutationId } = slot.entry;
        const answer = { type: "ORDER_ACK", mutationId, posReference, version, duplicate: true } as const;
        slot.settle({ state: "acknowledged", answer });
        writes.erase(slot);
        drop(slot);
      }
    },
    /** Drops a refused mutation that a person gives up. */
    giveUp(slot: Slot): void {
      for (const later of passOnDiscarded(queue, slot, menu())) writes.keep(later);
      slot.settle({ state: "discarded" });
      drop(slot);
    },
    drop,
    discard,
  };

  function drop(slot: Slot): void {
    queue.drop(slot);
    dropped(slot.entry);
  }

  function discard(slot: Slot): void {
    slot.settle({ state: "discarded" });
    writes.erase(slot);
    drop(slot);
  }

  function checkPaidBy(intent: Intent): StoredOrder | undefined {
    if (!isMoney(intent)) return undefined;
    const stored = hub.order(intent.posReference);
    return stored !== undefined && hasPayment(stored, paymentIdOf(intent)) ? stored : undefined;
  }
}

function hasPayment({ snapshot }: StoredOrder, paymentId: string | undefined): boolean {
  const allPayments = [...(snapshot.tenders ?? []), ...(snapshot.payments ?? [])];
  return paymentId !== undefined && allPayments.some((payment) => payment["tenderId"] === paymentId);
}

function isPartOfCheck({ type }: Intent): boolean {
  return type === "ORDER_UPSERT" || type === "ORDER_CHECKOUT" || type === "ORDER_REOPEN";
}
