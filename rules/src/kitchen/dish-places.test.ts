import type { KitchenTicket } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { createRestaurant } from "../../test/restaurant.ts";
import { isOnItsWay, placesOf } from "./dish-places.ts";

type Restaurant = ReturnType<typeof createRestaurant>;
type Lines = { id: string; quantity: number; splitOf?: string }[];

/** Writes checks at tables, creating those that do not exist. */
function seat(restaurant: Restaurant, checks: Record<string, { tableId: number; lines: Lines }>) {
  return restaurant.change({
    type: "ORDER_BATCH",
    additionalCheck: true,
    orders: Object.entries(checks).map(([posReference, { tableId, lines }]) => ({
      posReference,
      baseVersion: restaurant.versionOf(posReference),
      snapshot: { orderType: "dine_in", tableId, lines: [...lines] },
    })),
  });
}

/** Three steaks and a soup at table 8, sent; two of the steaks go to table 2. */
function partMoved() {
  const restaurant = createRestaurant();
  const soup = { id: "soup", quantity: 1 };
  seat(restaurant, { A: { tableId: 8, lines: [{ id: "steak", quantity: 3 }, soup] } });
  restaurant.send("A");
  seat(restaurant, {
    A: { tableId: 8, lines: [{ id: "steak", quantity: 1 }, soup] },
    B: { tableId: 2, lines: [{ id: "b", quantity: 2, splitOf: "steak" }] },
  });
  return restaurant;
}

const ticketOf = (restaurant: Restaurant): KitchenTicket => {
  const [ticket] = restaurant.tickets();
  if (ticket === undefined) throw new Error("nothing was sent");
  return ticket;
};
const placesIn = (ticket: KitchenTicket) =>
  ticket.lines.map((line) =>
    placesOf(ticket, line).map(({ address, quantity, left, isMoved, isServed }) => {
      const where = `${quantity} for ${address.posReference} at ${address.tableId}`;
      return [where, left > 0 && `${left} left`, isMoved && "moved", isServed && "served"].filter(Boolean).join(", ");
    }),
  );

describe("destination of a dish", () => {
  it("each part of a line goes to the table of the check that holds it now [KIT-200]", () => {
    const restaurant = partMoved();
    const ticket = ticketOf(restaurant);
    expect(ticket).toMatchObject({ posReference: "A", tableId: 8 });
    expect(ticket.alsoFor).toMatchObject([{ posReference: "B", tableId: 2, checkNumber: 1 }]);
    expect(placesIn(ticket)).toEqual([
      ["1 for A at 8, 1 left", "2 for B at 2, 2 left, moved"],
      ["1 for A at 8, 1 left"],
    ]);
  });

  it("a part follows its check to another table, and the ticket is whole again when all parts return [KIT-200]", () => {
    const restaurant = partMoved();
    seat(restaurant, { B: { tableId: 5, lines: [{ id: "b", quantity: 2 }] } });
    expect(placesIn(ticketOf(restaurant))[0]).toEqual(["1 for A at 8, 1 left", "2 for B at 5, 2 left, moved"]);
    seat(restaurant, {
      B: { tableId: 5, lines: [] },
      A: {
        tableId: 8,
        lines: [
          { id: "steak", quantity: 3 },
          { id: "soup", quantity: 1 },
        ],
      },
    });
    expect(ticketOf(restaurant)).not.toHaveProperty("alsoFor");
    expect(placesIn(ticketOf(restaurant))).toEqual([["3 for A at 8, 3 left"], ["1 for A at 8, 1 left"]]);
  });

  it("the whole ticket gets the new table when all of it moved there [KIT-200]", () => {
    const restaurant = createRestaurant();
    seat(restaurant, { A: { tableId: 8, lines: [{ id: "steak", quantity: 2 }] } });
    restaurant.send("A");
    seat(restaurant, {
      A: { tableId: 8, lines: [] },
      B: { tableId: 2, lines: [{ id: "steak", quantity: 2 }] },
    });
    const ticket = ticketOf(restaurant);
    expect(ticket).toMatchObject({ posReference: "A", tableId: 2 });
    expect(placesIn(ticket)).toEqual([["2 for B at 2, 2 left"]]);
  });

  it("a ready dish that moves is shown at its new table until it counts as picked up [KIT-200]", () => {
    const restaurant = partMoved();
    const { id } = ticketOf(restaurant);
    restaurant.bumpTicket(id, "steak", 3);
    restaurant.bumpTicket(id, "soup", 1);
    expect(ticketOf(restaurant).isOver).toBe(true);
    seat(restaurant, { B: { tableId: 5, lines: [{ id: "b", quantity: 2 }] } });
    expect(placesIn(ticketOf(restaurant))[0]).toEqual(["1 for A at 8", "2 for B at 5, moved"]);
    restaurant.advance(15 * 60_000);
    seat(restaurant, { B: { tableId: 6, lines: [{ id: "b", quantity: 2 }] } });
    expect(placesIn(ticketOf(restaurant))[0]).toEqual(["1 for A at 8", "2 for B at 5, moved"]);
  });
});

describe("a dish voided after it was cooked", () => {
  it("a dish voided after it was cooked stays with its check, counted apart from the active ones [KIT-311]", () => {
    const restaurant = createRestaurant();
    restaurant.write({ A: [{ id: "steak", quantity: 3 }] });
    restaurant.send("A");
    restaurant.bump("A", "steak", 2);
    restaurant.write({ A: [{ id: "steak", quantity: 3, voidedQuantity: 2 }] });
    const ticket = ticketOf(restaurant);
    expect(ticket.lines.flatMap((line) => placesOf(ticket, line))).toMatchObject([{ quantity: 2, left: 0, voided: 1 }]);
    restaurant.write({ A: [{ id: "steak", quantity: 3, voidedQuantity: 1 }] });
    const again = ticketOf(restaurant);
    expect(again.lines.flatMap((line) => placesOf(again, line))).toMatchObject([{ quantity: 2, left: 0, voided: 0 }]);
  });
});

describe("served shares", () => {
  it("serving marks the share of one check, and the line is served when all its shares are [KIT-201]", () => {
    const restaurant = partMoved();
    const { id } = ticketOf(restaurant);
    restaurant.bumpTicket(id, "steak", 3);
    expect(restaurant.serve(id, { lineIds: ["steak"], heldBy: "B" })).toBeNull();
    expect(placesIn(ticketOf(restaurant))[0]).toEqual(["1 for A at 8", "2 for B at 2, moved, served"]);
    expect(ticketOf(restaurant).lines[0]).toMatchObject({ state: "ready", isServed: false });
    expect(restaurant.line("B", "b")).toMatchObject({ kitchenItemStatus: "served" });
    expect(restaurant.line("A", "steak")).toMatchObject({ kitchenItemStatus: "ready" });
    restaurant.serve(id, { heldBy: "A" });
    expect(ticketOf(restaurant).lines[0]).toMatchObject({ state: "served", isServed: true });
    expect(ticketOf(restaurant).lines[1]).toMatchObject({ state: "unseen" });
    expect(restaurant.line("A", "steak")).toMatchObject({ kitchenItemStatus: "served" });
  });

  it("a served share moves with its check, and is not served any more once it is recalled [KIT-201]", () => {
    const restaurant = partMoved();
    const { id } = ticketOf(restaurant);
    restaurant.bumpTicket(id, "steak", 3);
    restaurant.serve(id, { heldBy: "B" });
    seat(restaurant, { B: { tableId: 2, lines: [] }, C: { tableId: 3, lines: [{ id: "b", quantity: 2 }] } });
    expect(placesIn(ticketOf(restaurant))[0]).toEqual(["1 for A at 8", "2 for C at 3, moved, served"]);
    restaurant.bumpTicket(id, "steak", 0);
    restaurant.bumpTicket(id, "steak", 3);
    expect(placesIn(ticketOf(restaurant))[0]).toEqual(["1 for A at 8", "2 for C at 3, moved"]);
  });

  it("undoing a serving makes the share ready again [KIT-202]", () => {
    const restaurant = partMoved();
    const { id } = ticketOf(restaurant);
    restaurant.bumpTicket(id, "steak", 3);
    const before = ticketOf(restaurant);
    restaurant.serve(id, { lineIds: ["steak"] });
    expect(ticketOf(restaurant).lines[0]?.state).toBe("served");
    restaurant.serve(id, { lineIds: ["steak"], heldBy: "A", undo: true });
    expect(placesIn(ticketOf(restaurant))[0]).toEqual(["1 for A at 8", "2 for B at 2, moved, served"]);
    restaurant.serve(id, { lineIds: ["steak"], undo: true });
    expect(ticketOf(restaurant)).toEqual(before);
  });
});

describe("dishes at the pass", () => {
  const over = (readyAt: string) => ({ ...ticketOf(partMoved()), isOver: true, readyAt });
  const now = Date.parse("2026-11-21T20:20:00.000Z");

  it("a dish counts as picked up after 15 min if its station does not mark serving, by the hub's time [KIT-203]", () => {
    expect(isOnItsWay(over("2026-11-21T20:05:00.000Z"), now)).toBe(false);
    expect(isOnItsWay(over("2026-11-21T20:05:00.001Z"), now)).toBe(true);
    expect(isOnItsWay({ ...over("2026-11-21T20:05:00.000Z"), isOver: false, serving: true }, now)).toBe(true);
    expect(isOnItsWay({ ...over("2026-11-21T20:19:00.000Z"), expired: true }, now)).toBe(false);
    // After the clock was set back by hours, dishes served long ago do not show up again.
    expect(isOnItsWay(over("2026-11-21T22:00:00.000Z"), now)).toBe(false);
  });
});
