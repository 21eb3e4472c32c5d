import type { KitchenTicket } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { createRestaurant } from "../../test/restaurant.ts";
import { slipsOf } from "../index.ts";

const NOW = Date.parse("2026-11-25T20:00:00Z");
const ten = { unitPrice: 10, total: 10 };

/** A restaurant with a check of two soups and a steak, all sent. */
function restaurantWithSent() {
  const restaurant = createRestaurant();
  restaurant.write({
    A: [
      { id: "soup", quantity: 2, ...ten },
      { id: "steak", ...ten },
    ],
  });
  restaurant.send("A");
  return restaurant;
}

type Restaurant = ReturnType<typeof createRestaurant>;

/** Returns the slips that a change causes, abbreviated. */
function slipsFrom(restaurant: Restaurant, change: (restaurant: Restaurant) => unknown, now = NOW) {
  const before = new Map(restaurant.tickets().map((ticket) => [ticket.id, ticket]));
  change(restaurant);
  return restaurant.tickets().flatMap((ticket) => {
    const was = before.get(ticket.id) ?? null;
    return ticket === was ? [] : slipsOf(was, ticket, now).map(short);
  });
}

function short({ kind, dishes, from, to }: ReturnType<typeof slipsOf>[number]) {
  const what = dishes.map(({ line, quantity }) => `${quantity} ${line.name}`);
  const places = [from, to].flatMap((place) => (place?.tableId == null ? [] : [`${place.tableId}`]));
  return [kind, places.join(" > "), ...what].filter((word) => word !== "").join(": ");
}

const seated = (tableId: number, lines: Record<string, unknown>[]) => ({
  orderType: "dine_in" as const,
  tableId,
  lines: lines.map((line) => ({ quantity: 1, ...ten, ...line })) as never,
});

function restaurantWithSeated(quantity = 1) {
  const restaurant = createRestaurant();
  const snapshot = seated(5, [{ id: "soup", quantity }]);
  restaurant.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot });
  restaurant.send("A");
  return restaurant;
}

const move = (restaurant: Restaurant, tableId: number) =>
  restaurant.change({
    type: "ORDER_UPSERT",
    posReference: "A",
    baseVersion: restaurant.versionOf("A"),
    snapshot: seated(tableId, [{ id: "soup" }]),
  });

describe("slips of a change", () => {
  it("each send is a slip of what was sent [PRINT-110]", () => {
    const restaurant = createRestaurant();
    restaurant.write({ A: [{ id: "soup", quantity: 2, ...ten }] });
    expect(slipsFrom(restaurant, () => restaurant.send("A"))).toEqual(["new: 2 soup"]);
    restaurant.write({ A: [{ id: "soup", quantity: 3, ...ten }] });
    expect(slipsFrom(restaurant, () => restaurant.send("A"))).toEqual(["new: 1 soup"]);
    expect(slipsFrom(restaurant, () => restaurant.send("A"))).toEqual([]);
  });

  it("other words for a dish that is not ready are a void and an addition [PRINT-528]", () => {
    const restaurant = restaurantWithSent();
    restaurant.bump("A", "soup", 1);
    const steak = { id: "steak", ...ten };
    const soup = { id: "soup", quantity: 2, ...ten };
    expect(slipsFrom(restaurant, () => restaurant.write({ A: [{ ...soup, name: "gazpacho" }, steak] }))).toEqual([
      "void: 1 soup",
      "addition: 1 gazpacho",
    ]);
    const noted = { ...soup, name: "gazpacho", seat: 2 };
    expect(slipsFrom(restaurant, () => restaurant.write({ A: [noted, steak] }))).toEqual([]);
    expect(slipsFrom(restaurant, () => restaurant.write({ A: [noted, { ...steak, allergy: "nuts" }] }))).toEqual([
      "void: 1 steak",
      "addition: 1 steak",
    ]);
  });

  it("other words for a part of a dish are slips for that part, at its table, also after a recall [PRINT-580]", () => {
    const restaurant = restaurantWithSeated(3);
    const part = { id: "bowl", splitOf: "soup" };
    const write = (tableId: number, lines: Record<string, unknown>[]) =>
      restaurant.change({
        type: "ORDER_UPSERT",
        posReference: tableId === 5 ? "A" : "B",
        baseVersion: restaurant.versionOf(tableId === 5 ? "A" : "B"),
        snapshot: seated(tableId, lines),
      });
    write(5, [{ id: "soup", quantity: 2 }, part]);
    const soup = { id: "soup", quantity: 2 };
    expect(slipsFrom(restaurant, () => write(5, [soup, { ...part, name: "hot soup" }]))).toEqual([
      "void: 5: 1 soup",
      "addition: 5: 1 hot soup",
    ]);
    restaurant.bump("A", "soup", 2);
    expect(
      slipsFrom(restaurant, () =>
        write(5, [
          { ...soup, name: "broth" },
          { ...part, name: "hot soup" },
        ]),
      ),
    ).toEqual([]);
    expect(slipsFrom(restaurant, () => restaurant.bump("A", "soup", 1))).toEqual([
      "void: 5: 1 soup",
      "addition: 5: 1 broth",
    ]);
  });

  it("a void, a partial void, a take-back and a discard are slips with their quantities [PRINT-111]", () => {
    const restaurant = restaurantWithSent();
    const part = { id: "soup", quantity: 2, voidedQuantity: 1, voidReason: "frío", ...ten };
    expect(slipsFrom(restaurant, () => restaurant.write({ A: [part, { id: "steak", ...ten }] }))).toEqual([
      "void: 1 soup",
    ]);
    const byWaiter = { terminalId: "tablet" };
    expect(slipsFrom(restaurant, () => restaurant.write({ A: [part] }, byWaiter))).toEqual(["void: 1 steak"]);
    expect(slipsFrom(restaurant, () => restaurant.discard("A"))).toEqual(["void: 1 soup"]);
  });

  it("a void slip and its reversal name the table [PRINT-111]", () => {
    const restaurant = restaurantWithSeated(3);
    restaurant.change({
      type: "ORDER_BATCH",
      orders: [
        {
          posReference: "A",
          baseVersion: restaurant.versionOf("A"),
          snapshot: seated(5, [{ id: "soup", quantity: 2 }]),
        },
        { posReference: "B", baseVersion: 0, snapshot: seated(8, [{ id: "bowl", splitOf: "soup" }]) },
      ],
    });
    const write = (posReference: string, tableId: number, line: Record<string, unknown>) => () =>
      restaurant.change({
        type: "ORDER_UPSERT",
        posReference,
        baseVersion: restaurant.versionOf(posReference),
        snapshot: seated(tableId, [line]),
      });
    const voided = { id: "bowl", splitOf: "soup", voided: true, voidReason: "frío" };
    expect(slipsFrom(restaurant, write("B", 8, voided))).toEqual(["void: 8: 1 soup"]);
    expect(slipsFrom(restaurant, write("B", 8, { ...voided, voided: false }))).toEqual(["addition: 8: 1 soup"]);
    const one = { id: "soup", quantity: 2, voidedQuantity: 1, voidReason: "frío" };
    expect(slipsFrom(restaurant, write("A", 5, one))).toEqual(["void: 5: 1 soup"]);
    expect(slipsFrom(restaurant, () => restaurant.discard("B"))).toEqual(["void: 8: 1 soup"]);
  });

  it("a void slip names which of two checks at a table held the dish [PRINT-111]", () => {
    const restaurant = restaurantWithSeated(2);
    restaurant.change({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "A", baseVersion: restaurant.versionOf("A"), snapshot: seated(5, [{ id: "soup" }]) },
        { posReference: "B", baseVersion: 0, snapshot: seated(5, [{ id: "bowl", splitOf: "soup" }]) },
      ],
    });
    const [before] = restaurant.tickets();
    restaurant.discard("B");
    const slips = restaurant.tickets().flatMap((after) => slipsOf(before ?? null, after, NOW));
    expect(slips).toMatchObject([{ kind: "void", dishes: [{ quantity: 1 }], to: { posReference: "B" } }]);
  });

  it("undoing a void is a slip of an addition [PRINT-111]", () => {
    const restaurant = restaurantWithSent();
    const voided = { id: "soup", quantity: 2, voided: true, voidReason: "frío", ...ten };
    restaurant.write({ A: [voided, { id: "steak", ...ten }] });
    const undo = () =>
      restaurant.write({
        A: [
          { id: "soup", quantity: 2, ...ten },
          { id: "steak", ...ten },
        ],
      });
    expect(slipsFrom(restaurant, undo)).toEqual(["addition: 2 soup"]);
  });

  it("marks of the kitchen cause no slip [PRINT-111]", () => {
    const restaurant = restaurantWithSent();
    const [ticket] = restaurant.tickets();
    expect(slipsFrom(restaurant, () => restaurant.markSeen(ticket?.id ?? ""))).toEqual([]);
    expect(slipsFrom(restaurant, () => restaurant.bump("A", "soup", 1))).toEqual([]);
    expect(slipsFrom(restaurant, () => restaurant.bump("A", "soup", 0))).toEqual([]);
    // One of two cancelled soups turns out to be ready.
    restaurant.write({
      A: [
        { id: "soup", quantity: 2, voided: true, voidReason: "x", ...ten },
        { id: "steak", ...ten },
      ],
    });
    expect(slipsFrom(restaurant, () => restaurant.bump("A", "soup", 1))).toEqual([]);
    // It was not: it is cancelled as it was before, and the kitchen has read that already.
    expect(slipsFrom(restaurant, () => restaurant.bump("A", "soup", 0))).toEqual([]);
  });

  it("a check that moves causes a slip with both tables until its dishes are over [PRINT-112]", () => {
    const restaurant = restaurantWithSeated();
    expect(slipsFrom(restaurant, () => move(restaurant, 8))).toEqual(["move: 5 > 8: 1 soup"]);
    restaurant.bump("A", "soup", 1);
    expect(slipsFrom(restaurant, () => move(restaurant, 5))).toEqual([]);
  });

  it("a dish that moves to a check at another table causes a slip of that dish [PRINT-112]", () => {
    const restaurant = restaurantWithSeated();
    const batch = () =>
      restaurant.change({
        type: "ORDER_BATCH",
        orders: [
          { posReference: "A", baseVersion: restaurant.versionOf("A"), snapshot: seated(5, [{ id: "water" }]) },
          { posReference: "B", baseVersion: 0, snapshot: seated(8, [{ id: "soup" }]) },
        ],
      });
    expect(slipsFrom(restaurant, batch)).toEqual(["move: 5 > 8: 1 soup"]);
    const back = () =>
      restaurant.change({
        type: "ORDER_BATCH",
        orders: [
          { posReference: "B", baseVersion: restaurant.versionOf("B"), snapshot: seated(8, []) },
          { posReference: "C", baseVersion: 0, snapshot: { ...seated(8, [{ id: "soup" }]), additionalCheck: true } },
        ],
      });
    expect(slipsFrom(restaurant, back)).toEqual([]);
  });

  it("a void and its reversal in one write with a move count no dish twice [PRINT-550]", () => {
    const restaurant = restaurantWithSeated(5);
    const write = (tableId: number, line: Record<string, unknown>) => () =>
      restaurant.change({
        type: "ORDER_UPSERT",
        posReference: "A",
        baseVersion: restaurant.versionOf("A"),
        snapshot: seated(tableId, [{ id: "soup", quantity: 5, voidReason: "frío", ...line }]),
      });
    expect(slipsFrom(restaurant, write(8, { voidedQuantity: 3 }))).toEqual(["void: 5: 3 soup", "move: 5 > 8: 2 soup"]);
    expect(slipsFrom(restaurant, write(5, { voidedQuantity: 2 }))).toEqual([
      "addition: 5: 1 soup",
      "move: 8 > 5: 2 soup",
    ]);
  });

  it("other words in one write with a move or a void take back the words on paper [PRINT-550]", () => {
    const restaurant = restaurantWithSeated(3);
    const write = (tableId: number, line: Record<string, unknown>) => () =>
      restaurant.change({
        type: "ORDER_UPSERT",
        posReference: "A",
        baseVersion: restaurant.versionOf("A"),
        snapshot: seated(tableId, [{ id: "soup", quantity: 3, ...line }]),
      });
    expect(slipsFrom(restaurant, write(8, { name: "gazpacho" }))).toEqual([
      "void: 5: 3 soup",
      "addition: 8: 3 gazpacho",
    ]);
    const broth = { name: "broth", voidedQuantity: 1, voidReason: "frío" };
    expect(slipsFrom(restaurant, write(8, broth))).toEqual(["void: 8: 3 gazpacho", "addition: 8: 2 broth"]);
  });

  it("dishes of two tables that move to a third cause a slip for each table [PRINT-550]", () => {
    const restaurant = restaurantWithSeated(2);
    const content = (posReference: string, tableId: number, lines: Record<string, unknown>[]) => ({
      posReference,
      baseVersion: restaurant.versionOf(posReference),
      snapshot: seated(tableId, lines),
    });
    const batch = (...orders: ReturnType<typeof content>[]) => restaurant.change({ type: "ORDER_BATCH", orders });
    batch(content("A", 5, [{ id: "soup" }]), content("B", 6, [{ id: "bowl", splitOf: "soup" }]));
    const gather = () =>
      batch(
        content("A", 5, []),
        content("B", 6, []),
        content("C", 7, [{ id: "soup" }, { id: "bowl", splitOf: "soup" }]),
      );
    expect(slipsFrom(restaurant, gather)).toEqual(["move: 5 > 7: 1 soup", "move: 6 > 7: 1 soup"]);
  });

  it("a ticket that is printed later says which of its dishes are for another table by then [PRINT-553]", () => {
    const restaurant = restaurantWithSeated(3);
    restaurant.change({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "A", baseVersion: restaurant.versionOf("A"), snapshot: seated(5, [{ id: "soup" }]) },
        { posReference: "B", baseVersion: 0, snapshot: seated(8, [{ id: "bowl", quantity: 2, splitOf: "soup" }]) },
      ],
    });
    const slips = restaurant.tickets().flatMap((ticket) => slipsOf(null, ticket, NOW));
    expect(slips.map(short)).toEqual(["new: 3 soup", "move: 5 > 8: 2 soup"]);
  });

  it("a printed dish that moves with its check causes a slip while it may still be cooking [PRINT-112]", () => {
    const restaurant = restaurantWithSeated();
    restaurant.paper(restaurant.tickets()[0]?.id ?? "");
    expect(slipsFrom(restaurant, () => move(restaurant, 8))).toEqual(["move: 5 > 8: 1 soup"]);
    restaurant.advance(61 * 60_000);
    expect(slipsFrom(restaurant, () => move(restaurant, 5), NOW + 61 * 60_000)).toEqual([]);
  });
});

describe("a station that works from paper", () => {
  it("a ticket is over once its slip is printed, neither ready nor served [PRINT-120]", () => {
    const restaurant = restaurantWithSent();
    const id = restaurant.tickets()[0]?.id ?? "";
    restaurant.paper(id);
    const [ticket] = restaurant.tickets() as [KitchenTicket];
    expect(ticket).toMatchObject({ onPaper: true, isOver: true, readyAt: null });
    expect(ticket.lines.map(({ state }) => state)).toEqual(["unseen", "unseen"]);
    expect(restaurant.line("A", "soup")).toMatchObject({ kitchenItemStatus: "on_paper", sentQuantity: 2 });
    expect(restaurant.ticketsOf("A")).toHaveLength(1);
  });

  it("an addition to a printed ticket is not on paper yet [PRINT-120]", () => {
    const restaurant = restaurantWithSent();
    restaurant.paper(restaurant.tickets()[0]?.id ?? "");
    restaurant.write({
      A: [
        { id: "soup", quantity: 3, ...ten },
        { id: "steak", ...ten },
      ],
    });
    restaurant.send("A");
    expect(restaurant.line("A", "soup")?.kitchenItemStatus).toBe("pending");
    restaurant.paper(restaurant.tickets()[1]?.id ?? "");
    expect(restaurant.line("A", "soup")?.kitchenItemStatus).toBe("on_paper");
  });

  it("a void leaves a printed ticket over, and may cause a slip to take the dish back [PRINT-121]", () => {
    const restaurant = restaurantWithSent();
    restaurant.paper(restaurant.tickets()[0]?.id ?? "");
    const voids = () => restaurant.write({ A: [{ id: "soup", quantity: 2, ...ten }] }, { terminalId: "tablet" });
    expect(slipsFrom(restaurant, voids)).toEqual(["void: 1 steak"]);
    expect(restaurant.tickets()[0]).toMatchObject({ onPaper: true, isOver: true });
    restaurant.discard("A");
    expect(restaurant.tickets()[0]).toMatchObject({ onPaper: true, isOver: true });
  });

  it("printing leaves a ticket that is over unchanged [PRINT-120]", () => {
    const restaurant = restaurantWithSent();
    const id = restaurant.tickets()[0]?.id ?? "";
    restaurant.bump("A", "soup", 2);
    restaurant.bump("A", "steak", 1);
    restaurant.paper(id);
    expect(restaurant.tickets()[0]?.onPaper).toBeUndefined();
  });
});
