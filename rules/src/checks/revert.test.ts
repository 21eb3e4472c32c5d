import type { Snapshot, StoredLine } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { createRestaurant } from "../../test/restaurant.ts";
import { revert } from "./revert.ts";

/** A sent check with a soup and three beers, and its version before the send. */
function sent() {
  const restaurant = createRestaurant();
  restaurant.write({ A: [{ id: "soup" }, { id: "beer", quantity: 3 }] });
  const earlier = restaurant.state.order("A")?.snapshot;
  restaurant.send("A");
  const reverted = () =>
    revertTo(restaurant, earlier).map(({ id, quantity, sentQuantity }) => ({ id, quantity, sentQuantity }));
  return { restaurant, reverted };
}

/** Returns the lines of check A after it is reverted to an earlier version. */
function revertTo(restaurant: ReturnType<typeof createRestaurant>, earlier: Snapshot | undefined): StoredLine[] {
  const stored = restaurant.state.order("A");
  if (stored == null || earlier === undefined) throw new Error("there is no check A");
  const context = { now: Date.parse(stored.snapshot.updatedAt), newId: () => "dish", elsewhere: new Set<string>() };
  const outcome = revert(restaurant.state, stored, earlier, context);
  if ("refusal" in outcome) throw new Error(outcome.refusal.code);
  return outcome.checks[0]?.snapshot.lines ?? [];
}

describe("revert to before the dishes were sent", () => {
  it("a revert leaves lines on another check that have moved there since [OP-19]", () => {
    const { restaurant, reverted } = sent();
    const part = { id: "part", splitOf: "beer", splitFrom: "A" };
    expect(restaurant.write({ A: [{ id: "beer", quantity: 2 }], B: [part, { id: "soup" }] })).toBeNull();
    expect(reverted()).toEqual([{ id: "beer", quantity: 2, sentQuantity: 2 }]);
  });

  it("a revert restores lines that moved to a check that was discarded [OP-19]", () => {
    const { restaurant, reverted } = sent();
    expect(restaurant.write({ A: [{ id: "beer", quantity: 3 }], B: [{ id: "soup" }] })).toBeNull();
    expect(restaurant.discard("B")).toBeNull();
    expect(reverted()).toEqual([
      { id: "soup", quantity: 1, sentQuantity: undefined },
      { id: "beer", quantity: 3, sentQuantity: 3 },
    ]);
  });

  it("a revert leaves a sent line the product that the kitchen has [OP-19, KIT-484]", () => {
    const restaurant = createRestaurant();
    restaurant.write({
      A: [
        { id: "dish", productId: 1 },
        { id: "tea", productId: 3 },
      ],
    });
    const earlier = restaurant.state.order("A")?.snapshot;
    restaurant.write({
      A: [
        { id: "dish", productId: 2 },
        { id: "tea", productId: 4 },
      ],
    });
    restaurant.send("A", { lineIds: ["dish"] });
    expect(revertTo(restaurant, earlier).map(({ id, productId }) => [id, productId])).toEqual([
      ["dish", 2],
      ["tea", 3],
    ]);
  });
});
