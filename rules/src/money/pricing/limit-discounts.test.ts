import type { Adjustment, StoredLine, TerminalSnapshot } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { type Actor, createRestaurant } from "../../../test/restaurant.ts";
import { orderFacts } from "../../checks/order-facts.ts";
import { addUp } from "./limit-discounts.ts";

type Restaurant = ReturnType<typeof createRestaurant>;

const waiter: Actor = { terminalId: "tablet" };
const fifty: Adjustment = { kind: "discount", amount: -50, reason: "cortesía" };
const dish = (id: string, total: number): StoredLine => ({ id, quantity: 1, unitPrice: total, total });

function write(
  restaurant: Restaurant,
  lines: StoredLine[],
  { adjustments, by }: { adjustments?: Adjustment[]; by?: Actor } = {},
) {
  const { snapshot } = restaurant.state.order("A") ?? {};
  const content = { orderType: "takeout" as const, lines, adjustments: adjustments ?? snapshot?.adjustments ?? [] };
  return restaurant.change(
    { type: "ORDER_UPSERT", posReference: "A", baseVersion: restaurant.versionOf("A"), snapshot: content },
    by,
  );
}

function money({ state }: Restaurant) {
  const { adjustments, totals } = state.order("A")?.snapshot ?? {};
  return { adjustments, total: totals?.total };
}

describe("a discount of the whole check ", () => {
  it("takes off no more than the dishes cost, and all of it once they are back, by any writer [PRICE-85]", () => {
    const restaurant = createRestaurant();
    write(restaurant, [dish("steak", 80), dish("soup", 20)], { adjustments: [fifty] });
    expect(money(restaurant)).toEqual({ adjustments: [fifty], total: 50 });
    expect(write(restaurant, [dish("soup", 20)], { by: waiter })).toBeNull();
    const limited = { ...fifty, amount: -20, granted: -50 };
    expect(money(restaurant)).toEqual({ adjustments: [limited], total: 0 });
    restaurant.patch("A", { lines: [dish("soup", 30)] });
    expect(money(restaurant)).toEqual({ adjustments: [{ ...limited, amount: -30 }], total: 0 });
    expect(write(restaurant, [dish("soup", 30), dish("steak", 80)], { by: waiter })).toBeNull();
    expect(money(restaurant)).toEqual({ adjustments: [fifty], total: 60 });
  });

  it("counts as the discount that was granted, for a waiter, its approver and the history [PRICE-85, PRICE-23]", () => {
    const restaurant = createRestaurant();
    const steak = [dish("steak", 80)];
    write(restaurant, steak, { adjustments: [fifty], by: { ...waiter, approvedBy: "Rosa", mayVoid: true } });
    const granted = { ...fifty, by: "Rosa" };
    const full = restaurant.state.order("A")?.snapshot;
    write(restaurant, [dish("soup", 20)], { by: { ...waiter, approvedBy: "Luis", mayVoid: true } });
    const limited = restaurant.state.order("A")?.snapshot;
    expect(limited?.adjustments).toEqual([{ ...granted, amount: -20, granted: -50 }]);
    expect(full && limited && orderFacts(full, limited, "edited").map(({ fact }) => fact)).not.toContain(
      "adjusted.discount",
    );
    const raised = [{ ...granted, amount: -20, granted: -60 }];
    expect(write(restaurant, steak, { adjustments: raised, by: waiter })).toMatchObject({ code: "DISCOUNT" });
    expect(write(restaurant, steak, { adjustments: [granted], by: waiter })).toBeNull();
    expect(money(restaurant)).toEqual({ adjustments: [granted], total: 30 });
  });

  it("keeps what was granted when a terminal that does not know of it sends the limited amount back [PRICE-86]", () => {
    const restaurant = createRestaurant();
    write(restaurant, [dish("steak", 80), dish("soup", 20)], { adjustments: [fifty] });
    write(restaurant, [dish("soup", 20)]);
    const shown = { ...fifty, amount: -20 };
    expect(write(restaurant, [dish("soup", 20), dish("steak", 80)], { adjustments: [shown], by: waiter })).toBeNull();
    expect(money(restaurant)).toEqual({ adjustments: [fifty], total: 50 });
  });

  it("counts once where a terminal that does not know what was granted merges or splits its check [PRICE-86]", () => {
    const restaurant = createRestaurant();
    write(restaurant, [dish("soup", 20)], { adjustments: [fifty] });
    const shown = { ...fifty, amount: -20 };
    const content = (posReference: string, lines: StoredLine[], adjustments: Adjustment[] = []) => ({
      posReference,
      baseVersion: restaurant.versionOf(posReference),
      snapshot: { orderType: "takeout" as const, lines, adjustments },
    });
    const batch = (...orders: ReturnType<typeof content>[]) =>
      restaurant.change({ type: "ORDER_BATCH", orders }, waiter);
    restaurant.change({ type: "ORDER_UPSERT", ...content("B", [dish("steak", 80)]) });
    expect(batch(content("B", [dish("steak", 80), dish("soup", 20)], [shown]), content("A", []))).toBeNull();
    expect(restaurant.state.order("B")?.snapshot).toMatchObject({ adjustments: [fifty], totals: { total: 50 } });

    restaurant.change({ type: "ORDER_UPSERT", ...content("B", [dish("soup", 20)], [fifty]) });
    // Its own check keeps it, even if another is written first.
    const both = [
      content("C", [dish("tea", 90)], [{ ...shown }]),
      content("B", [dish("soup", 20)], [{ ...shown }]),
    ] as const;
    expect(batch(...both)).toMatchObject({ code: "DISCOUNT" });
    expect(restaurant.change({ type: "ORDER_BATCH", orders: [...both] })).toBeNull();
    expect(restaurant.state.order("B")?.snapshot.adjustments).toEqual([{ ...shown, granted: -50 }]);
    expect(restaurant.state.order("C")?.snapshot).toMatchObject({ adjustments: [shown], totals: { total: 70 } });
  });

  it("is not taken for another discount of the same amount that a terminal sends back [PRICE-88]", () => {
    const restaurant = createRestaurant();
    const content = (posReference: string, lines: StoredLine[], adjustments?: Adjustment[]) => ({
      posReference,
      baseVersion: restaurant.versionOf(posReference),
      snapshot: { orderType: "takeout" as const, lines, ...(adjustments && { adjustments }) },
    });
    const twenty = { ...fifty, amount: -20 };
    write(restaurant, [dish("soup", 20)], { adjustments: [fifty] });
    restaurant.change({ type: "ORDER_UPSERT", ...content("B", [dish("steak", 80)], [twenty]) });
    // Both discounts come together, each as it was granted.
    const merged = content("B", [dish("steak", 80), dish("soup", 20)], [{ ...twenty }, { ...fifty }]);
    expect(restaurant.change({ type: "ORDER_BATCH", orders: [merged, content("A", [], [])] }, waiter)).toBeNull();
    expect(restaurant.state.order("B")?.snapshot).toMatchObject({
      adjustments: [twenty, fifty],
      totals: { total: 30 },
    });
  });

  it("is not given to another check while its own keeps it, named or not [PRICE-88]", () => {
    const restaurant = createRestaurant();
    write(restaurant, [dish("soup", 20)], { adjustments: [fifty] });
    const limited = { ...fifty, amount: -20, granted: -50 };
    const batch = (a: TerminalSnapshot, posReference: string) => {
      const other = { orderType: "takeout" as const, lines: [dish(`tea ${posReference}`, 90)] };
      const orders = [
        { posReference: "A", baseVersion: restaurant.versionOf("A"), snapshot: a },
        { posReference, baseVersion: 0, snapshot: { ...other, adjustments: [{ ...fifty, amount: -20 }] } },
      ];
      expect(restaurant.change({ type: "ORDER_BATCH", orders })).toBeNull();
      expect(restaurant.state.order("A")?.snapshot.adjustments).toEqual([limited]);
      return restaurant.state.order(posReference)?.snapshot.adjustments;
    };
    const unlimited = [{ ...fifty, amount: -20 }];
    expect(batch({ orderType: "takeout", notes: "sin sal" }, "B")).toEqual(unlimited);
    expect(batch({ orderType: "takeout", lines: [dish("soup", 20)], adjustments: [limited] }, "C")).toEqual(unlimited);
  });

  it("is lowered to what it takes off now by a writer who names that as granted [PRICE-86]", () => {
    const restaurant = createRestaurant();
    write(restaurant, [dish("soup", 20)], { adjustments: [fifty] });
    write(restaurant, [dish("soup", 20)], { adjustments: [{ ...fifty, amount: -20, granted: -20 }] });
    write(restaurant, [dish("soup", 20), dish("steak", 80)]);
    expect(money(restaurant)).toEqual({ adjustments: [{ ...fifty, amount: -20 }], total: 80 });
  });

  it("takes nothing off a tip, nor off a check that costs less than nothing [PRICE-85]", () => {
    const service: Adjustment = { kind: "service", amount: 5 };
    const tip: Adjustment = { kind: "tip", amount: 10 };
    expect(addUp([dish("soup", 20)], [fifty, tip, service]).adjustments).toEqual([
      { ...fifty, amount: -25, granted: -50 },
      tip,
      service,
    ]);
    expect(addUp([dish("return", -20)], [fifty]).adjustments).toEqual([{ ...fifty, amount: 0, granted: -50 }]);
  });

  it("applies after an earlier discount, to what that one leaves [PRICE-85]", () => {
    const both = addUp([dish("soup", 70)], [fifty, { ...fifty, reason: "demora" }]).adjustments;
    expect(both).toEqual([fifty, { ...fifty, reason: "demora", amount: -20, granted: -50 }]);
    expect(addUp([dish("soup", 100)], both).adjustments).toEqual([fifty, { ...fifty, reason: "demora" }]);
  });
});
