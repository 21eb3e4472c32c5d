import { describe, expect, it } from "vitest";
import { createRestaurant } from "../../test/restaurant.ts";

const instructions = { note: "no salt", allergy: "nuts", modifiers: [{ id: 1, name: "Well done", price: 0 }], seat: 2 };

/** Returns the ticket lines of check A, abbreviated. */
function shown({ ticketsOf }: ReturnType<typeof createRestaurant>) {
  return ticketsOf("A").flatMap(({ lines }) =>
    lines.map(({ name, note, allergy, modifiers, seat, state }) => ({ name, note, allergy, modifiers, seat, state })),
  );
}

describe("the words of a ticket", () => {
  it("the words of a sent dish that is not ready follow its line, and have to be seen again [KIT-525]", () => {
    const restaurant = createRestaurant();
    restaurant.write({ A: [{ id: "steak", name: "Steak", note: "rare" }] });
    restaurant.send("A");
    restaurant.markSeen(restaurant.ticketsOf("A")[0]?.id ?? "");
    expect(restaurant.write({ A: [{ id: "steak", name: "Big steak", ...instructions }] })).toBeNull();
    expect(shown(restaurant)).toEqual([{ name: "Big steak", ...instructions, state: "unseen" }]);
    restaurant.markSeen(restaurant.ticketsOf("A")[0]?.id ?? "");
    expect(restaurant.write({ A: [{ id: "steak", name: "", ...instructions, allergy: null, seat: 3 }] })).toBeNull();
    expect(shown(restaurant)).toMatchObject([{ name: "Big steak", note: "no salt", seat: 3, state: "unseen" }]);
    expect(shown(restaurant)[0]?.allergy).toBeUndefined();
    restaurant.bump("A", "steak", 1);
    restaurant.write({ A: [{ id: "steak", note: "too late" }] });
    expect(shown(restaurant)).toMatchObject([{ note: "no salt", state: "ready" }]);
  });

  it("what an extra costs, and a name that a write leaves out, do not have to be seen again [KIT-525]", () => {
    const restaurant = createRestaurant();
    const steak = { id: "steak", name: "Steak", modifiers: [{ id: 1, name: "Cheese", price: 10 }] };
    restaurant.write({ A: [steak] });
    restaurant.send("A");
    restaurant.markSeen(restaurant.ticketsOf("A")[0]?.id ?? "");
    const dearer = { id: "steak", name: "", modifiers: [{ id: 1, name: "Cheese", price: 12 }] };
    expect(restaurant.write({ A: [dearer] })).toBeNull();
    expect(shown(restaurant)).toMatchObject([{ name: "Steak", modifiers: dearer.modifiers, state: "seen" }]);
    expect(restaurant.write({ A: [{ ...steak, modifiers: [{ id: 2, name: "Egg", price: 12 }] }] })).toBeNull();
    expect(shown(restaurant)).toMatchObject([{ state: "unseen" }]);
  });

  it("the place of a dish at its table changes without having to be seen again [KIT-525]", () => {
    const restaurant = createRestaurant();
    restaurant.write({ A: [{ id: "steak", course: 1 }] });
    restaurant.send("A");
    restaurant.markSeen(restaurant.ticketsOf("A")[0]?.id ?? "");
    expect(restaurant.write({ A: [{ id: "steak", course: 2, seat: 4 }] })).toBeNull();
    expect(restaurant.ticketsOf("A")[0]?.lines).toMatchObject([{ course: 2, seat: 4, state: "seen" }]);
  });

  it("a dish that several lines share keeps its words on the ticket [KIT-525]", () => {
    const restaurant = createRestaurant();
    restaurant.write({ A: [{ id: "soup", quantity: 2, name: "Soup" }] });
    restaurant.send("A");
    const half = { id: "half", splitOf: "soup", name: "Soup" };
    restaurant.write({ A: [{ id: "soup", name: "Soup" }, half] });
    expect(restaurant.write({ A: [{ id: "soup", name: "Soup", note: "hot" }, half] })).toBeNull();
    expect(shown(restaurant)).toMatchObject([{ name: "Soup", note: null }]);
  });

  it("a dish that is wanted again after a void comes back with the words it got meanwhile [KIT-555]", () => {
    const restaurant = createRestaurant();
    const soup = { id: "soup", name: "Soup", quantity: 2 };
    const voided = { ...soup, voided: true, voidReason: "late" };
    restaurant.write({ A: [soup] });
    restaurant.send("A");
    restaurant.write({ A: [{ ...voided, note: "hot" }] });
    expect(shown(restaurant)).toMatchObject([{ note: null, state: "cancelled" }]);
    restaurant.markSeen(restaurant.ticketsOf("A")[0]?.id ?? "");
    restaurant.write({ A: [{ ...voided, note: "very hot" }] });
    expect(restaurant.ticketsOf("A")).toMatchObject([{ isOver: true, lines: [{ note: null }] }]);
    restaurant.write({ A: [{ ...soup, note: "very hot" }] });
    expect(shown(restaurant)).toMatchObject([{ note: "very hot", state: "unseen" }]);
  });

  it("a dish comes back with its words when its void is taken back and its quantity lowered at once [KIT-555]", () => {
    const restaurant = createRestaurant();
    const soup = { id: "soup", name: "Soup", quantity: 2, voidedQuantity: 1, voidReason: "late" };
    restaurant.write({ A: [soup] });
    restaurant.send("A");
    restaurant.write({ A: [{ ...soup, quantity: 1 }] });
    restaurant.write({ A: [{ ...soup, note: "hot" }] });
    restaurant.write({ A: [{ id: "soup", name: "Soup", quantity: 1, note: "hot" }] });
    expect(shown(restaurant)).toMatchObject([{ note: "hot", state: "unseen" }]);
  });
});
