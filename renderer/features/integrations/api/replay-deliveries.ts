import type { ReplayDeliveries } from "@comanda/protocol";
import { callHub } from "../../../lib/hub-client.ts";

/** Queues dead-lettered deliveries again: of one webhook or all, since a time or ever. */
export function replayDeliveries(which: ReplayDeliveries) {
  return callHub("replayDeliveries", { body: which });
}
