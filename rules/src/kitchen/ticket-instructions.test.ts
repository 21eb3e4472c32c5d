import { describe, expect, it } from "vitest";
import { createRestaurant } from "../../test/restaurant.ts";

const instructions = { note: "no salt", allergy: "nuts", modifiers: [{ id: 1, name: "Well done", price: 0 }], seat: 2 };

/** Returns the ticket lines of check A, abbreviated. */
function shown({ ticketsOf }: ReturnType<typeof createRestaurant>) {
  return ticketsOf("A").flatMap(({ lines }) =>
    lines.map(({ name, note, allergy, modifiers, seat, state }) => ({ name, note, allergy, modifiers, seat, state })),
  );
}

/** Returns the lines of all tickets, abbreviated. */
function parts({ tickets }: ReturnType<typeof createRestaurant>): string[] {
  return tickets().flatMap(({ lines }) =>
    lines.map(({ lineId, quantity, name, note, allergy, state }) =>
      [`${lineId}: ${[quantity, name, note, allergy].filter((word) => word != null).join(" ")}`, state].join(", "),
    ),
  );
}

/** Two soups, sent and seen; one of them is on a line of its own. */
function halved() {
  const restaurant = createRestaurant();
  restaurant.write({ A: [{ id: "soup", quantity: 2, name: "Soup" }] });
  restaurant.send("A");
  const half = { id: "half", splitOf: "soup", name: "Soup" };
  restaurant.write({ A: [{ id: "soup", name: "Soup" }, half] });
  const id = restaurant.tickets()[0]?.id ?? "";
  restaurant.markSeen(id);
  return { restaurant, half, id };
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

  it("a part of a shared dish that gets other words is a line of its own, and only it has to be seen again [KIT-575]", () => {
    const { restaurant, half, id } = halved();
    const allergic = { ...half, allergy: "shellfish" };
    expect(restaurant.write({ A: [{ id: "soup", name: "Soup" }, allergic] })).toBeNull();
    expect(parts(restaurant)).toEqual(["soup: 1 Soup, seen", "half: 1 Soup shellfish, unseen"]);
    // A later change of its words is a change of its line alone.
    restaurant.markSeen(id);
    restaurant.write({
      A: [
        { id: "soup", name: "Soup" },
        { ...half, allergy: "shellfish, nuts" },
      ],
    });
    expect(parts(restaurant)).toEqual(["soup: 1 Soup, seen", "half: 1 Soup shellfish, nuts, unseen"]);
    expect(restaurant.line("A", "half")).toMatchObject({ sentQuantity: 1, kitchenItemStatus: "pending" });
    expect(restaurant.bumpTicket(id, "half", 1)).toBeNull();
    expect(restaurant.line("A", "half")).toMatchObject({ preparedQuantity: 1 });
    expect(restaurant.line("A", "soup")).toMatchObject({ preparedQuantity: 0 });
  });

  it("a part may get other words in the write that splits it off, moves it or joins it again [KIT-575]", () => {
    const { restaurant, half } = halved();
    restaurant.write({ A: [{ id: "soup", name: "Soup" }], B: [{ ...half, note: "hot" }] });
    expect(parts(restaurant)).toEqual(["soup: 1 Soup, seen", "half: 1 Soup hot, unseen"]);
    restaurant.write({ B: [], C: [{ ...half, note: "very hot" }] });
    expect(parts(restaurant)).toEqual(["soup: 1 Soup, seen", "half: 1 Soup very hot, unseen"]);
    restaurant.write({ C: [], A: [{ id: "soup", name: "Soup", quantity: 2 }] });
    expect(parts(restaurant)).toEqual(["soup: 1 Soup, seen", "half: 1 Soup, unseen"]);
    expect(restaurant.line("A", "soup")).toMatchObject({ sentQuantity: 2 });

    const other = createRestaurant();
    other.write({ A: [{ id: "soup", quantity: 3, name: "Soup" }] });
    other.send("A");
    const part = (id: string, note: string) => ({ id, name: "Soup", note, splitOf: "soup" });
    other.write({ A: [{ id: "soup", name: "Soup", note: "a" }, part("b", "b"), part("c", "b")] });
    expect(parts(other)).toEqual(["soup: 1 Soup a, unseen", "b: 2 Soup b, unseen"]);
  });

  it("all parts of a dish that get the same words stay on one line [KIT-575]", () => {
    const { restaurant, half } = halved();
    restaurant.write({
      A: [
        { id: "soup", name: "Soup", note: "hot" },
        { ...half, note: "hot" },
      ],
    });
    expect(parts(restaurant)).toEqual(["soup: 2 Soup hot, unseen"]);
  });

  it("what is ready keeps its words, and the rest of the line has the new ones [KIT-575]", () => {
    const restaurant = createRestaurant();
    restaurant.write({ A: [{ id: "soup", quantity: 3, name: "Soup" }] });
    restaurant.send("A");
    restaurant.bump("A", "soup", 1);
    expect(restaurant.write({ A: [{ id: "soup", quantity: 3, name: "Soup", note: "hot" }] })).toBeNull();
    expect(parts(restaurant)).toEqual(["soup: 1 Soup, ready", "soup 2: 2 Soup hot, unseen"]);
    expect(restaurant.line("A", "soup")).toMatchObject({ sentQuantity: 3, preparedQuantity: 1 });
    restaurant.bump("A", "soup", 3);
    expect(parts(restaurant)).toEqual(["soup: 1 Soup, ready", "soup 2: 2 Soup hot, ready"]);
  });

  it("other words leave a check changed, although they split its ticket line [KIT-575]", () => {
    const { restaurant, half } = halved();
    restaurant.write({
      A: [
        { id: "soup", name: "Soup" },
        { ...half, note: "hot" },
      ],
    });
    expect(restaurant.state.order("A")?.snapshot.status).toBe("changed");
  });

  it("a part that was void joins the line in its words when it is wanted again [KIT-555, KIT-575]", () => {
    const { restaurant, half } = halved();
    const rest = { id: "soup", name: "Soup", quantity: 1 };
    restaurant.write({ A: [{ ...rest, quantity: 3 }, half] });
    restaurant.send("A");
    const ticket = () =>
      restaurant
        .tickets()
        .at(0)
        ?.lines.map(({ note, quantity }) => [note, quantity]);
    restaurant.write({
      A: [
        { ...rest, quantity: 3 },
        { ...half, voided: true, voidReason: "late", note: "hot" },
      ],
    });
    restaurant.write({
      A: [
        { ...rest, quantity: 3, note: "cold" },
        { ...half, voided: true, voidReason: "late", note: "hot" },
      ],
    });
    expect(ticket()).toEqual([["cold", 2]]);
    restaurant.write({
      A: [
        { ...rest, quantity: 3, note: "cold" },
        { ...half, note: "hot" },
      ],
    });
    expect(ticket()).toEqual([
      ["cold", 1],
      ["hot", 1],
    ]);
  });

  it("a dish that is recalled has the words that its line got while it was ready [KIT-576]", () => {
    const restaurant = createRestaurant();
    restaurant.write({ A: [{ id: "soup", quantity: 2, name: "Soup" }] });
    restaurant.send("A");
    restaurant.bump("A", "soup", 2);
    restaurant.write({ A: [{ id: "soup", quantity: 2, name: "Soup", allergy: "nuts" }] });
    expect(parts(restaurant)).toEqual(["soup: 2 Soup, ready"]);
    restaurant.bump("A", "soup", 1);
    expect(parts(restaurant)).toEqual(["soup: 1 Soup, ready", "soup 2: 1 Soup nuts, unseen"]);
    restaurant.bump("A", "soup", 0);
    expect(parts(restaurant)).toEqual(["soup: 1 Soup nuts, unseen", "soup 2: 1 Soup nuts, unseen"]);
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
