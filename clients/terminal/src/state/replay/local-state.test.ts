import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyContent, content, entry, line, storedOrder, syncPage } from "../../../test/builders.ts";
import { localStateOn } from "../../../test/local-state.ts";
import { changeQuantity } from "../../orders/edit-draft.ts";
import { contentOf } from "../../orders/order-content.ts";
import { ordersOf } from "../../outbox/entries/outbox-entry.ts";

const soup = line("soup", { total: 5 });
const beer = line("beer", { total: 3 });

/** The orders of a terminal with these orders on its hub. */
function ordersOn(...stored: ReturnType<typeof storedOrder>[]) {
  const { hub, queue, local } = localStateOn({ orders: stored });
  return {
    hub,
    queue,
    local,
    edit(posReference: string, next: ReturnType<typeof content>) {
      const shown = local.get(posReference);
      const base = shown === undefined ? null : contentOf(shown.snapshot);
      const added = entry({ type: "ORDER_UPSERT", posReference, base, next });
      // Every command is checked so before it enters the outbox.
      local.refusalOf(added);
      const slot = queue.put(added);
      local.outboxChanged([slot.entry.intent]);
      return slot;
    },
  };
}

describe("local orders", () => {
  it("orders and their lines stay the same objects until something changes them [CLIENT-138]", () => {
    const before = content([soup, beer]);
    const { local, edit } = ordersOn(storedOrder("A", 1, before), storedOrder("B", 1, before));
    const [first, other] = [...local.all()];
    edit("A", changeQuantity(before, "beer", 2));
    const [changed, same] = [...local.all()];
    expect(same).toBe(other);
    expect(changed?.snapshot.lines[0]).toBe(first?.snapshot.lines[0]);
    expect(changed?.snapshot.lines).toMatchObject([{ id: "soup" }, { id: "beer", quantity: 2, total: 6 }]);
    expect(first?.snapshot.lines).toMatchObject([{ id: "soup" }, { id: "beer", quantity: 1 }]);
  });

  it("orders show nothing refused before a mutation that was tried on them [CLIENT-138]", () => {
    const { hub, queue, local, edit } = ordersOn(storedOrder("A", 1, content([soup])));
    const first = edit("A", content([soup, beer]));
    edit("A", content([soup, beer, line("wine", { total: 9 })]));
    expect(local.get("A")?.snapshot.lines).toMatchObject([{ id: "soup" }, { id: "beer" }, { id: "wine" }]);
    first.entry.refusal = { errorCode: "CONFLICT", error: "", collisions: [], at: "" };
    local.outboxChanged([first.entry.intent]);
    const rebuilt = localStateOn({ orders: [...hub.orders()] }, queue.entries()).local;
    expect(local.get("A")).toEqual(rebuilt.get("A"));
  });

  it("orders show after each step what a replay of all mutations shows [CLIENT-138]", () => {
    const step = fc.oneof(
      fc.record({ edit: anyContent }),
      fc.record({ edit: anyContent, on: fc.constant("B") }),
      fc.record({ refuse: fc.nat() }),
      fc.record({ drop: fc.nat() }),
      fc.record({ replace: anyContent }),
      fc.record({ hub: anyContent }),
    );
    fc.assert(
      fc.property(anyContent, fc.array(step, { maxLength: 12 }), (start, steps) => {
        const { hub, queue, local, edit } = ordersOn(storedOrder("A", 1, start));
        for (const [at, each] of steps.entries()) {
          const slots = queue.slots();
          const slot =
            slots["refuse" in each ? each.refuse % slots.length : "drop" in each ? each.drop % slots.length : 0];
          if ("edit" in each) edit("on" in each ? each.on : "A", each.edit);
          else if ("hub" in each) {
            const order = storedOrder("A", at + 2, each.hub);
            hub.sync(syncPage({ mode: "full", seq: 11 + at, orders: [order] }));
            local.hubChanged(["A"]);
          } else if (slot !== undefined) {
            if ("drop" in each) queue.drop(slot);
            else if ("replace" in each) {
              const [posReference = ""] = ordersOf(slot.entry.intent);
              slot.entry.intent = { type: "ORDER_UPSERT", posReference, base: null, next: each.replace };
            } else slot.entry.refusal = { errorCode: "CONFLICT", error: "", collisions: [], at: "" };
          }
          if ("drop" in each && slot !== undefined) local.outboxChanged([slot.entry.intent], slot.entry);
          else local.outboxChanged(slots.map(({ entry: { intent } }) => intent));
          const rebuilt = localStateOn({ orders: [...hub.orders()] }, queue.entries()).local;
          for (const check of ["A", "B"]) expect(local.get(check)).toEqual(rebuilt.get(check));
        }
      }),
    );
  });
});
