import type { ForwardState } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { isoTime } from "../platform/world.ts";
import type { EventStore } from "./event-store.ts";

/** Creates the operations for managers' decisions about events. Everything runs inside the caller's write. */
export function createEventDecisions(orders: OrderStore, events: EventStore) {
  return {
    /** Asks for a new decision on events that were set aside until now. Does not send them. */
    bringBack(tx: Tx): void {
      for (const { posReference } of events.bringBack(tx.now)) {
        tx.notify(["forward"], { kind: "forward_returned", level: "bad", detail: { posReference } });
      }
    },

    /** Retries an event. Returns the reference of its order, or null if the event is unknown or done. */
    retry(tx: Tx, eventId: number): string | null {
      const event = events.get(eventId);
      if (event === null || !events.retry(eventId)) return null;
      setForwardState(orders, tx, event.posReference, { state: "pending" });
      return event.posReference;
    },

    /** Holds an order that was refused for its fiscal number until it gets another number or is sent without one. */
    takeBack(tx: Tx, posReference: string): void {
      events.hold(tx, posReference);
      setForwardState(orders, tx, posReference, { state: "pending" });
      tx.notify(["forward"]);
    },

    /**
     * Stops forwarding an event until a manager decides again. `until` (ms since 1970) is when to ask for that decision;
     * null means immediately. Returns false if the event is unknown or done.
     */
    setAside(tx: Tx, eventId: number, reason: string, until: number | null): boolean {
      const event = events.get(eventId);
      if (event === null || !events.setAside(eventId, tx.now, reason, until)) return false;
      setForwardState(orders, tx, event.posReference, { state: "attention", at: isoTime(tx.now), error: reason });
      return true;
    },
  };
}

export function setForwardState(orders: OrderStore, tx: Tx, posReference: string, forward: ForwardState): void {
  const change = orders.saveForward(tx, posReference, forward);
  if (change !== null) tx.emit(change);
}
