import type { OutboxQueue } from "../outbox/outbox-queue.ts";
import { replayOrder, type LocalOrder } from "../orders/replay-order.ts";
import type { HubState } from "./hub-state.ts";

export type LocalOrders = ReturnType<typeof createLocalOrders>;

/** The orders as the user sees them; each is replayed once until it changes. */
export function createLocalOrders(hub: HubState, outbox: Pick<OutboxQueue, "orders" | "entriesOf">) {
  const shown = new Map<string, LocalOrder | undefined>();

  function get(posReference: string): LocalOrder | undefined {
    if (!shown.has(posReference)) {
      shown.set(posReference, replayOrder(posReference, hub.order(posReference), outbox.entriesOf(posReference)));
    }
    return shown.get(posReference);
  }

  return {
    get,
    *all(): Generator<LocalOrder> {
      const references = new Set([...[...hub.orders()].map((order) => order.posReference), ...outbox.orders()]);
      for (const posReference of references) {
        const order = get(posReference);
        if (order !== undefined) yield order;
      }
    },
    changed(orders: readonly string[]): void {
      for (const posReference of orders) shown.delete(posReference);
    },
  };
}
