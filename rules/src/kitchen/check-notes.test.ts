import type { TerminalSnapshot } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { createRestaurant } from "../../test/restaurant.ts";
import { slipsOf } from "../index.ts";

type Restaurant = ReturnType<typeof createRestaurant>;
type Checks = Record<string, { tableId: number; lines: Record<string, number>; notes?: string | null }>;

/** Writes checks at tables; `lines` are quantities by line id, and "b of a" is split off "a". */
function write(restaurant: Restaurant, checks: Checks) {
  const contents = Object.entries(checks).map(([posReference, { lines, ...content }]) => {
    const snapshot: TerminalSnapshot = {
      orderType: "dine_in",
      ...content,
      lines: Object.entries(lines).map(([name, quantity]) => {
        const [id = name, splitOf] = name.split(" of ");
        return { id, name: splitOf ?? id, quantity, ...(splitOf !== undefined && { splitOf }) };
      }),
    };
    return { posReference, baseVersion: restaurant.versionOf(posReference), snapshot };
  });
  return restaurant.change({ type: "ORDER_BATCH", additionalCheck: true, orders: contents });
}

const steaks = { tableId: 5, lines: { steak: 2 } };

/** Two steaks of check A at table 5, sent and seen. */
function withSteaks(notes?: string) {
  const restaurant = createRestaurant();
  write(restaurant, { A: { ...steaks, ...(notes !== undefined && { notes }) } });
  restaurant.send("A");
  see(restaurant);
  return restaurant;
}

function see(restaurant: Restaurant): void {
  for (const { id } of restaurant.tickets()) restaurant.markSeen(id);
}

/** Returns the notes on each ticket, its own and those of other checks, with the states of its lines. */
const shown = (restaurant: Restaurant) =>
  restaurant
    .tickets()
    .map(({ notes, alsoFor = [], lines }) => [
      [notes, ...alsoFor.map((other) => `${other.posReference}: ${other.notes}`)].join("; "),
      ...lines.map(({ state }) => state),
    ]);

/** Returns the slips that a change causes, with the place and the note. */
function slipsFrom(restaurant: Restaurant, change: () => unknown) {
  const before = new Map(restaurant.tickets().map((ticket) => [ticket.id, ticket]));
  expect(change()).toBeNull();
  return restaurant.tickets().flatMap((ticket) => {
    const was = before.get(ticket.id);
    if (was === undefined || was === ticket) return [];
    return slipsOf(was, ticket, Date.parse(ticket.sentAt)).map(({ kind, to }) =>
      kind === "note" ? `note of ${to?.posReference} at ${to?.tableId}: ${to?.notes}` : kind,
    );
  });
}

describe("the note of a check on its tickets", () => {
  it("a ticket has the note of its check from the send on [KIT-540]", () => {
    expect(withSteaks(" Sin prisa ").tickets()).toMatchObject([{ notes: "Sin prisa" }]);
    for (const none of ["", "  "]) expect(withSteaks(none).tickets()[0]?.notes).toBeUndefined();
  });

  it("a changed note is on the ticket of an edit, an integration's change and a merge, and has to be seen [KIT-540, KIT-541]", () => {
    const restaurant = withSteaks();
    write(restaurant, { A: { ...steaks, notes: "Alergia" } });
    expect(shown(restaurant)).toEqual([["Alergia", "unseen"]]);
    see(restaurant);
    expect(restaurant.patch("A", { notes: "Alergia a mariscos" })).toBeNull();
    expect(shown(restaurant)).toEqual([["Alergia a mariscos", "unseen"]]);
    see(restaurant);
    write(restaurant, { B: { tableId: 8, lines: { soup: 1 }, notes: "Con prisa" } });
    write(restaurant, {
      A: { ...steaks, lines: { steak: 2, soup: 1 }, notes: "Alergia a mariscos" },
      B: { tableId: 8, lines: {} },
    });
    expect(shown(restaurant)).toEqual([["Alergia a mariscos / Con prisa", "unseen"]]);
    see(restaurant);
    restaurant.patch("A", { notes: "" });
    expect(shown(restaurant)).toEqual([["", "unseen"]]);
  });

  it("a note that stays the same does not have to be seen again [KIT-541]", () => {
    const restaurant = withSteaks("Alergia");
    write(restaurant, { A: { ...steaks, tableId: 6, notes: "Alergia " } });
    expect(restaurant.tickets()).toMatchObject([{ tableId: 6, notes: "Alergia", lines: [{ state: "seen" }] }]);
  });

  it("dishes that are ready stay ready when the note changes, and a started one stays started [KIT-541]", () => {
    const restaurant = createRestaurant();
    write(restaurant, { A: { tableId: 5, lines: { steak: 1, soup: 2, flan: 1 } } });
    restaurant.send("A");
    see(restaurant);
    restaurant.bump("A", "steak", 1);
    restaurant.bump("A", "soup", 1);
    write(restaurant, { A: { tableId: 5, lines: { steak: 1, soup: 2, flan: 1 }, notes: "Alergia" } });
    expect(shown(restaurant)).toEqual([["Alergia", "ready", "started", "unseen"]]);
    expect(restaurant.tickets()[0]?.lines.map(({ isSeen }) => isSeen)).toEqual([true, false, false]);
  });

  it("each check of a shared ticket has its own note, and a dish with another one has to be seen [KIT-540, KIT-541]", () => {
    const restaurant = withSteaks("Cumpleaños");
    write(restaurant, { B: { tableId: 8, lines: { soup: 1 }, notes: "Alergia" } });
    const part = { tableId: 8, lines: { soup: 1, "part of steak": 1 }, notes: "Alergia" };
    write(restaurant, { A: { ...steaks, lines: { steak: 1 }, notes: "Cumpleaños" }, B: part });
    expect(shown(restaurant)).toEqual([["Cumpleaños; B: Alergia", "unseen"]]);
    see(restaurant);
    write(restaurant, { B: { ...part, notes: "Alergia grave" } });
    expect(shown(restaurant)).toEqual([["Cumpleaños; B: Alergia grave", "unseen"]]);
  });

  it("a dish that moves to a check without a note does not have to be seen again [KIT-541]", () => {
    const restaurant = withSteaks("Cumpleaños");
    write(restaurant, { A: { ...steaks, lines: {}, notes: "Cumpleaños" }, B: { tableId: 8, lines: { steak: 2 } } });
    // The emptied check was merged into the other one, which has its note.
    expect(shown(restaurant)).toEqual([["Cumpleaños", "seen"]]);
    write(restaurant, {
      B: { tableId: 8, lines: { steak: 1 }, notes: "Cumpleaños" },
      C: { tableId: 9, lines: { "part of steak": 1 } },
    });
    expect(shown(restaurant)).toEqual([["Cumpleaños; C: undefined", "seen"]]);
  });
});

describe("slips of a note", () => {
  it("a note that changes while a dish is to be made is a slip, also when it is removed [PRINT-545]", () => {
    const restaurant = withSteaks();
    const note = (notes: string | null) => () => write(restaurant, { A: { ...steaks, notes } });
    expect(slipsFrom(restaurant, note("Alergia"))).toEqual(["note of A at 5: Alergia"]);
    expect(slipsFrom(restaurant, note("Alergia"))).toEqual([]);
    expect(slipsFrom(restaurant, () => restaurant.patch("A", { notes: "Sin prisa" }))).toEqual([
      "note of A at 5: Sin prisa",
    ]);
    restaurant.bump("A", "steak", 1);
    expect(slipsFrom(restaurant, note(null))).toEqual(["note of A at 5: undefined"]);
    restaurant.bump("A", "steak", 2);
    expect(slipsFrom(restaurant, note("Con prisa"))).toEqual([]);
  });

  it("a note without a dish to be made is no slip, and one on paper is a slip for an hour [PRINT-545]", () => {
    const restaurant = withSteaks();
    restaurant.paper(restaurant.tickets()[0]?.id ?? "");
    expect(slipsFrom(restaurant, () => restaurant.patch("A", { notes: "Alergia" }))).toEqual([
      "note of A at 5: Alergia",
    ]);
    restaurant.advance(61 * 60_000);
    expect(slipsFrom(restaurant, () => restaurant.patch("A", { notes: "Nada" }))).toEqual([]);
    const other = withSteaks();
    write(other, { A: { ...steaks, lines: { steak: 2, water: 1 } } });
    other.change({
      type: "ORDER_UPSERT",
      posReference: "A",
      baseVersion: other.versionOf("A"),
      snapshot: {
        lines: [
          { id: "steak", name: "steak", quantity: 2, voided: true, voidReason: "x" },
          { id: "water", name: "water", quantity: 1 },
        ],
      },
    });
    expect(slipsFrom(other, () => other.patch("A", { notes: "Alergia" }))).toEqual([]);
  });

  it("a merge is a slip for the dishes of each check to which another note applies now [PRINT-545]", () => {
    const merge = (one: string | undefined, other: string | undefined) => {
      const restaurant = withSteaks(one);
      const notes = (text?: string) => (text === undefined ? {} : { notes: text });
      write(restaurant, { B: { tableId: 5, lines: { soup: 1 }, ...notes(other) } });
      restaurant.send("B");
      return slipsFrom(restaurant, () =>
        write(restaurant, {
          A: { ...steaks, lines: { steak: 2, soup: 1 }, ...notes(one) },
          B: { tableId: 5, lines: {} },
        }),
      );
    };
    expect(merge("uno", "dos")).toEqual(["note of A at 5: uno / dos", "note of A at 5: uno / dos"]);
    expect(merge("uno", undefined)).toEqual(["note of A at 5: uno"]);
    expect(merge(undefined, "dos")).toEqual(["note of A at 5: dos"]);
    expect(merge("uno", "uno")).toEqual([]);
    expect(merge(undefined, undefined)).toEqual([]);
  });

  it("a dish that moves to another table is a slip of that table's note, and no note is taken back there [PRINT-545]", () => {
    const restaurant = withSteaks("Cumpleaños");
    const moveTo = (posReference: string, tableId: number, notes?: string) => () => {
      const steak = restaurant.line("A", "steak")?.quantity ?? 0;
      return write(restaurant, {
        A: { ...steaks, lines: { steak: steak - 1 }, notes: "Cumpleaños" },
        [posReference]: { tableId, lines: { [`${posReference} of steak`]: 1 }, ...(notes !== undefined && { notes }) },
      });
    };
    expect(slipsFrom(restaurant, moveTo("B", 8))).toEqual(["move"]);
    const other = withSteaks("Cumpleaños");
    const again = () =>
      write(other, {
        A: { ...steaks, lines: { steak: 1 }, notes: "Cumpleaños" },
        C: { tableId: 9, lines: { "c of steak": 1 }, notes: "Alergia" },
      });
    expect(slipsFrom(other, again)).toEqual(["move", "note of C at 9: Alergia"]);
  });
});
