import type { Recorder } from "../changes/change.ts";
import type { EventStore } from "./event-store.ts";

export const FINALIZE_EVENT = "hub_finalize";

/** A payment queues its event in the transaction that stores it. */
export function forwardRecorder(events: EventStore): Recorder {
  return (change, tx) => {
    if (change.kind !== "order.stored" || change.event !== "paid") return;
    events.queue(FINALIZE_EVENT, change.order.posReference, change.order.version, tx.now);
  };
}
