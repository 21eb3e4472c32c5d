import { MAX_CHECK_NOTES } from "@comanda/protocol/bounds.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRestaurant } from "../../test/restaurant.ts";
import { joinNotes } from "./join-notes.ts";

/** Writes checks with their notes in one batch. */
function write(
  restaurant: ReturnType<typeof createRestaurant>,
  checks: Record<string, { lines: string[]; notes?: string | null }>,
) {
  return restaurant.change({
    type: "ORDER_BATCH",
    orders: Object.entries(checks).map(([posReference, { lines, ...content }]) => ({
      posReference,
      baseVersion: restaurant.versionOf(posReference),
      snapshot: { orderType: "takeout", lines: lines.map((id) => ({ id, name: id, quantity: 1 })), ...content },
    })),
  });
}

const notesOf = (restaurant: ReturnType<typeof createRestaurant>) =>
  Object.fromEntries(restaurant.orders().map(({ posReference, snapshot }) => [posReference, snapshot.notes]));

describe("notes of merged checks", () => {
  it("a check has its own note, then those of the checks merged into it [ORDER-175]", () => {
    const restaurant = createRestaurant();
    write(restaurant, {
      A: { lines: ["a"], notes: "Sin prisa" },
      B: { lines: ["b"], notes: " Alergia a mariscos " },
      C: { lines: ["c"], notes: "Sin prisa" },
      D: { lines: ["d"] },
    });
    write(restaurant, {
      B: { lines: [] },
      A: { lines: ["a", "b", "c", "d"], notes: "Cumpleaños" },
      C: { lines: [] },
      D: { lines: [] },
    });
    expect(notesOf(restaurant)).toEqual({ A: "Cumpleaños / Alergia a mariscos / Sin prisa" });
  });

  it("a merge whose terminal has joined the notes already adds none [ORDER-175]", () => {
    const restaurant = createRestaurant();
    write(restaurant, { A: { lines: ["a"], notes: "uno" }, B: { lines: ["b"], notes: "dos / tres" } });
    write(restaurant, { A: { lines: ["a", "b"], notes: "uno / dos / tres" }, B: { lines: [] } });
    expect(notesOf(restaurant)).toEqual({ A: "uno / dos / tres" });
  });

  it("each of several checks that take over the dishes of another one gets its note [ORDER-175]", () => {
    const restaurant = createRestaurant();
    write(restaurant, { A: { lines: ["a", "b"], notes: "Sin sal" }, B: { lines: ["c"], notes: "Con prisa" } });
    write(restaurant, { A: { lines: [] }, B: { lines: ["c", "a"], notes: "Con prisa" }, C: { lines: ["b"] } });
    expect(notesOf(restaurant)).toEqual({ B: "Con prisa / Sin sal", C: "Sin sal" });
  });

  it("a check that gets some dishes of another one keeps its note, and checks without notes get none [ORDER-175]", () => {
    const restaurant = createRestaurant();
    write(restaurant, { A: { lines: ["a", "b"], notes: "Sin sal" }, B: { lines: ["c"], notes: null } });
    write(restaurant, { A: { lines: ["a"], notes: "Sin sal" }, B: { lines: ["c", "b"], notes: null } });
    expect(notesOf(restaurant)).toEqual({ A: "Sin sal", B: null });
    write(restaurant, { C: { lines: ["d"] }, D: { lines: ["e"], notes: "" } });
    write(restaurant, { C: { lines: ["d", "e"] }, D: { lines: [] } });
    expect(notesOf(restaurant)).toEqual({ A: "Sin sal", B: null, C: undefined });
  });

  it("joined notes are valid, not too long, and the same when they are joined again [ORDER-175]", () => {
    const room = (characters: number) => "a".repeat(MAX_CHECK_NOTES - " / ".length - characters);
    expect(joinNotes([room(2), "🍤🍤"])).toBe(`${room(2)} / 🍤`);
    expect(joinNotes([room(1), "🍤🍤"])).toBe(`${room(1)} / \uFFFD`);
    const note = fc.option(
      fc.string({
        unit: fc.constantFrom("a", "b", " ", " / ", "🍤"),
        maxLength: MAX_CHECK_NOTES,
        size: "max",
      }),
    );
    fc.assert(
      fc.property(fc.array(note, { maxLength: 4 }), (notes) => {
        const joined = joinNotes(notes);
        expect(joined.isWellFormed()).toBe(true);
        expect(joined.length).toBeLessThanOrEqual(MAX_CHECK_NOTES);
        if (notes.join(" / ").length > MAX_CHECK_NOTES) return;
        expect(joinNotes([joined, ...notes])).toBe(joined);
        for (const part of notes.flatMap((each) => each?.split(" / ") ?? [])) expect(joined).toContain(part.trim());
      }),
      { numRuns: 500 },
    );
  });
});
