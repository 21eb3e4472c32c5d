import type { OrderContent } from "@comanda/terminal";
import { describe, expect, it } from "vitest";
import { reverseOf } from "./undo-change.ts";

const NOON = Date.parse("2026-11-22T12:00:00Z");

function content(...lineIds: string[]): OrderContent {
  const lines = lineIds.map((id) => ({ id, quantity: 1, total: 10 }));
  const total = lines.length * 10;
  return { orderType: "dine_in", tableId: 5, lines, totals: { subtotal: total, tax: 0, total } };
}

const idsOf = (changes: ReturnType<typeof reverseOf>) =>
  changes?.map(({ posReference, content: { lines } }) => [posReference, lines?.map(({ id }) => id)]);

describe("undo", () => {
  it("undo moves back what was moved, and leaves what others added since [TOUCH-44]", () => {
    const changes = [
      { posReference: "A", before: content("a", "b"), after: content("a") },
      { posReference: "B", before: content("c"), after: content("c", "b") },
    ];
    const now = new Map([
      ["A", content("a", "new")],
      ["B", content("c", "b", "other")],
    ]);
    expect(idsOf(reverseOf(changes, now, NOON))).toEqual([
      ["A", ["a", "new", "b"]],
      ["B", ["c", "other"]],
    ]);
  });

  it("undo empties a check that the action created, and recreates one that it closed, under a new reference [TOUCH-44]", () => {
    const merged = [
      { posReference: "A", before: { ...content("a"), checkNumber: 7 }, after: null },
      { posReference: "B", before: content("b"), after: content("b", "a") },
    ];
    const [first, second] = reverseOf(merged, new Map([["B", content("b", "a")]]), NOON) ?? [];
    expect(first?.posReference).toMatch(/^261122-/);
    expect(first?.content).toEqual(content("a"));
    expect(second).toEqual({ posReference: "B", content: content("b") });
    const made = [
      { posReference: "A", before: content("a", "b"), after: content("a") },
      { posReference: "N", before: null, after: content("b") },
    ];
    const now = new Map([
      ["A", content("a")],
      ["N", content("b")],
    ]);
    expect(idsOf(reverseOf(made, now, NOON))).toEqual([
      ["A", ["a", "b"]],
      ["N", []],
    ]);
  });

  it("undo parts tables that the action joined [TOUCH-44]", () => {
    const joined = { ...content("a"), tableIds: [5, 7] };
    const changes = [{ posReference: "A", before: content("a"), after: joined }];
    expect(reverseOf(changes, new Map([["A", joined]]), NOON)).toEqual([
      { posReference: "A", content: { ...content("a"), tableIds: null } },
    ]);
  });

  it("undo removes the first telephone of a check, and leaves what an integration has added since [TOUCH-44]", () => {
    const before: OrderContent = { ...content("a"), orderType: "takeout" };
    const after = { ...before, pluginData: { contact: { phone: "809-555-0142" } } };
    const now = { ...after, pluginData: { ...after.pluginData, delivery: { rider: 4 } } };
    expect(reverseOf([{ posReference: "A", before, after }], new Map([["A", now]]), NOON)).toEqual([
      { posReference: "A", content: { ...before, pluginData: { contact: {}, delivery: { rider: 4 } } } },
    ]);
  });

  it("undo is refused if somebody has changed the same line or closed the check [TOUCH-44]", () => {
    const changes = [{ posReference: "A", before: content("a", "b"), after: content("a") }];
    const changed = { ...content("a"), lines: [] };
    const moved = [{ posReference: "A", before: content("a"), after: { ...content("a"), tableId: 6 } }];
    expect(reverseOf(changes, new Map([["A", null]]), NOON)).toBeNull();
    expect(reverseOf(moved, new Map([["A", { ...content("a"), tableId: 8 }]]), NOON)).toBeNull();
    expect(idsOf(reverseOf(changes, new Map([["A", changed]]), NOON))).toEqual([["A", ["b"]]]);
  });
});
