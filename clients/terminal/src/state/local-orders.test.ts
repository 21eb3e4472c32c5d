import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyContent, content, entry, line, storedOrder, syncPage } from "../../test/builders.ts";
import { manualWorld } from "../../test/manual-world.ts";
import { changeQuantity } from "../orders/edit-content.ts";
import { contentOf } from "../orders/order-content.ts";
import { replayOrder } from "../orders/replay-order.ts";
import { createOutboxQueue } from "../outbox/outbox-queue.ts";
import { memoryStorage } from "../outbox/outbox-storage.ts";
import { createHubState } from "./hub-state.ts";
import { createLocalOrders } from "./local-orders.ts";

const soup = line("soup", { total: 5 });
const beer = line("beer", { total: 3 });

/** The orders of a terminal whose hub has these. */
function ordersOn(...stored: ReturnType<typeof storedOrder>[]) {
  const hub = createHubState(() => 0);
  hub.sync(syncPage({ orders: stored }));
  const queue = createOutboxQueue(memoryStorage(), [], manualWorld().timers);
  const orders = createLocalOrders(hub, queue, () => null);
  return {
    hub,
    queue,
    orders,
    edit(posReference: string, next: ReturnType<typeof content>) {
      const shown = orders.get(posReference);
      const base = shown === undefined ? null : contentOf(shown.snapshot);
      const { slot } = queue.append(entry({ type: "ORDER_UPSERT", posReference, base, next }));
      orders.changed([posReference]);
      return slot;
    },
  };
}

describe("the orders as the user sees them", () => {
  it("[CLIENT-138] are the same objects until something changes them, and so are their lines", () => {
    const before = content([soup, beer]);
    const { orders, edit } = ordersOn(storedOrder("A", 1, before), storedOrder("B", 1, before));
    const [first, other] = [...orders.all()];
    edit("A", changeQuantity(before, "beer", 2));
    const [changed, same] = [...orders.all()];
    expect(same).toBe(other);
    expect(changed?.snapshot.lines[0]).toBe(first?.snapshot.lines[0]);
    expect(changed?.snapshot.lines).toMatchObject([{ id: "soup" }, { id: "beer", quantity: 2, total: 6 }]);
    expect(first?.snapshot.lines).toMatchObject([{ id: "soup" }, { id: "beer", quantity: 1 }]);
  });

  it("[CLIENT-138] show after each step what a replay of all mutations shows", () => {
    const step = fc.oneof(
      fc.record({ edit: anyContent }),
      fc.record({ refuse: fc.nat() }),
      fc.record({ drop: fc.nat() }),
      fc.record({ replace: anyContent }),
      fc.record({ hub: anyContent }),
    );
    fc.assert(
      fc.property(anyContent, fc.array(step, { maxLength: 12 }), (start, steps) => {
        const { hub, queue, orders, edit } = ordersOn(storedOrder("A", 1, start));
        for (const [at, each] of steps.entries()) {
          const slots = queue.slots();
          const slot =
            slots["refuse" in each ? each.refuse % slots.length : "drop" in each ? each.drop % slots.length : 0];
          if ("edit" in each) edit("A", each.edit);
          else if ("hub" in each) {
            const order = storedOrder("A", at + 2, each.hub);
            hub.sync(syncPage({ mode: "full", seq: 11 + at, orders: [order] }));
          } else if (slot !== undefined) {
            if ("drop" in each) queue.drop(slot);
            else if ("replace" in each) {
              slot.entry.intent = { type: "ORDER_UPSERT", posReference: "A", base: null, next: each.replace };
            } else slot.entry.refusal = { errorCode: "CONFLICT", error: "", collisions: [], at: "" };
          }
          orders.changed(["A"]);
          expect(orders.get("A")).toEqual(replayOrder("A", hub.order("A"), queue.entriesOf("A")));
        }
      }),
    );
  });
});
