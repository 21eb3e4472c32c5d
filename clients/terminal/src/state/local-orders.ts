import type { OutboxQueue } from "../outbox/outbox-queue.ts";
import { replayOrder, type LocalOrder } from "../orders/replay-order.ts";
import type { HubState } from "./hub-state.ts";

/** The orders as the user sees them; each is replayed once until it changes. */
export interface LocalOrders {
  get(posReference: string): LocalOrder | undefined;
  all(): Generator<LocalOrder>;
  changed(orders: readonly string[]): void;
}

export function createLocalOrders(hub: HubState, outbox: Pick<OutboxQueue, "orders" | "entriesOf">): LocalOrders {
  const shown = new Map<string, LocalOrder | undefined>();

  function get(posReference: string): LocalOrder | undefined {
    if (!shown.has(posReference)) {
      shown.set(posReference, replayOrder(posReference, hub.order(posReference), outbox.entriesOf(posReference)));
    }
    return shown.get(posReference);
  }

  return {
    get,
    *all() {
      const references = new Set([...[...hub.orders()].map((order) => order.posReference), ...outbox.orders()]);
      for (const posReference of references) {
        const order = get(posReference);
        if (order !== undefined) yield order;
      }
    },
    changed(orders) {
      for (const posReference of orders) shown.delete(posReference);
    },
  };
}
