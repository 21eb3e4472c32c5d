import type { OutboxQueue } from "../outbox/outbox-queue.ts";
import { replayOrder, stepsOf, type LocalOrder, type Replay } from "../orders/replay-order.ts";
import type { PricedMenu } from "../orders/reprice-line.ts";
import type { HubState } from "./hub-state.ts";

export type LocalOrders = ReturnType<typeof createLocalOrders>;

/** The orders as the user sees them; each is replayed once until it changes, and only what was added since. */
export function createLocalOrders(
  hub: Pick<HubState, "order" | "orders">,
  outbox: Pick<OutboxQueue, "orders" | "entriesOf">,
  menu: () => PricedMenu | null,
) {
  const shown = new Map<string, Replay>();
  const stale = new Set<string>();

  function get(posReference: string): LocalOrder | undefined {
    const before = shown.get(posReference);
    if (before !== undefined && !stale.delete(posReference)) return before.order;
    const stored = hub.order(posReference);
    const entries = outbox.entriesOf(posReference);
    const order = replayOrder(posReference, stored, entries, { before, menu: menu() });
    shown.set(posReference, { order, stored, steps: stepsOf(entries) });
    return order;
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
      for (const posReference of orders) stale.add(posReference);
    },
  };
}
