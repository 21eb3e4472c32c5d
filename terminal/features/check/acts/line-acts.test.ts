import type { StoredLine } from "@comanda/protocol";
import type { OrderContent } from "@comanda/terminal";
import { describe, expect, it } from "vitest";
import { newLine } from "../../../checks/check-lines.ts";
import { testMenu } from "../../../test/test-menu.ts";
import { addedSince, costOf, giveAway, isAll, isBeingMade, partsOf, rewordLine, withoutLines } from "./line-acts.ts";

const beers: StoredLine = { id: "beers", quantity: 4, total: 400, sentQuantity: 4 };
const halfVoid: StoredLine = { id: "half", quantity: 4, total: 200, sentQuantity: 4, voidedQuantity: 2 };
const coffees: StoredLine = { id: "coffees", quantity: 3, total: 90 };
const voided: StoredLine = { id: "gone", quantity: 1, total: 50, sentQuantity: 1, voided: true };

const content: OrderContent = {
  lines: [beers, halfVoid, coffees].map(({ id, quantity, total, voidedQuantity }) => ({
    id,
    quantity,
    total: total ?? 0,
    ...(voidedQuantity === undefined ? {} : { voidedQuantity }),
  })),
};

describe("chosen lines", () => {
  it("chosen lines are voided with the reason if they were sent, and removed otherwise [TOUCH-41]", () => {
    const chosen = [
      { line: beers, quantity: 1 },
      { line: halfVoid, quantity: 2 },
      { line: coffees, quantity: 1 },
    ];
    expect(withoutLines(content, chosen, "No hay", null)).toMatchObject({
      lines: [
        { id: "beers", quantity: 4, voidedQuantity: 1, voidReason: "No hay", total: 300 },
        { id: "half", voided: true, voidReason: "No hay" },
        { id: "coffees", quantity: 2, total: 60 },
      ],
      totals: { total: 360 },
    });
    const all = withoutLines(content, [{ line: coffees, quantity: 3 }], "", null).lines;
    expect(all?.map(({ id }) => id)).toEqual(["beers", "half"]);
  });

  it("a remaining unsent part is repriced, and a fixed discount stays whole [TOUCH-15]", () => {
    const { menu, product } = testMenu();
    const coffee = product(103);
    if (coffee === undefined) throw new Error("no coffee");
    const line = newLine(
      coffee,
      { menu, orderType: "takeout", lineId: "a" },
      { quantity: 3, discount: { amount: 10 } },
    );
    const one = { line, quantity: 1 };
    // 2 x 80 - 10, plus 18 %.
    expect(withoutLines({ orderType: "takeout", lines: [line] }, [one], "", menu)).toMatchObject({
      lines: [{ quantity: 2, total: 177, taxAmount: 27 }],
      totals: { total: 177 },
    });
  });

  it("the kitchen gets another note for a line, or for a part of it, which becomes a line of its own [TOUCH-1598]", () => {
    const words = { note: " ", allergy: "Maní " };
    expect(rewordLine(content, { line: beers, quantity: 4 }, words, "new")).toMatchObject({
      lines: [{ id: "beers", quantity: 4, note: null, allergy: "Maní" }, { id: "half" }, { id: "coffees" }],
    });
    expect(rewordLine(content, { line: beers, quantity: 1 }, words, "new")).toMatchObject({
      lines: [
        { id: "beers", quantity: 3, total: 300 },
        { id: "new", quantity: 1, total: 100, splitOf: "beers", note: null, allergy: "Maní" },
        { id: "half" },
        { id: "coffees" },
      ],
    });
    expect(rewordLine({ lines: [] }, { line: beers, quantity: 1 }, words, "new")).toEqual({ lines: [] });
  });

  it("a note is offered while the kitchen has yet to make a part of a line [TOUCH-1598]", () => {
    const made = [0, 3, 4].map((preparedQuantity) => isBeingMade({ ...beers, preparedQuantity }));
    expect(made).toEqual([true, true, false]);
    expect([coffees, voided].map(isBeingMade)).toEqual([false, false]);
    expect(isBeingMade({ ...halfVoid, preparedQuantity: 2 })).toBe(false);
  });

  it("a comp gets a line of its own if a part is still charged or was void before [TOUCH-420]", () => {
    const chosen = [
      { line: beers, quantity: 1 },
      { line: halfVoid, quantity: 2 },
      { line: coffees, quantity: 3 },
    ];
    const comped = { voided: true, comp: true, voidReason: "Cumpleaños" };
    const after = giveAway(content, chosen, "Cumpleaños", (lineId) => `${lineId}-given`);
    expect(after).toMatchObject({
      lines: [
        { id: "beers", quantity: 3, total: 300 },
        { id: "beers-given", splitOf: "beers", quantity: 1, total: 100, ...comped },
        { id: "half", quantity: 2, voidedQuantity: 2 },
        { id: "half-given", splitOf: "half", quantity: 2, total: 200, ...comped },
        { id: "coffees", quantity: 3, total: 90, ...comped },
      ],
      totals: { total: 300 },
    });
    expect(after.lines?.[2]).not.toHaveProperty("comp");
  });

  it("chosen quantities are comped, voided or removed as chosen, whatever others add before the approval [TOUCH-437]", () => {
    const lines =
      content.lines?.map((line) => (line.id === "beers" ? { ...line, quantity: 5, total: 500 } : line)) ?? [];
    const after = giveAway({ lines }, [{ line: beers, quantity: 4 }], "Cumpleaños", (lineId) => `${lineId}-given`);
    expect(after.lines?.slice(0, 2)).toMatchObject([
      { id: "beers", quantity: 1, total: 100 },
      { id: "beers-given", quantity: 4, voided: true, comp: true },
    ]);
    expect(withoutLines({ lines }, [{ line: beers, quantity: 4 }], "No hay", null).lines?.[0]).toMatchObject({
      quantity: 5,
      voidedQuantity: 4,
    });
    const voided = { lines: [{ id: "beers", quantity: 4, total: 400, voided: true }] };
    expect(withoutLines(voided, [{ line: beers, quantity: 1 }], "No hay", null)).toEqual(voided);
    const more = { lines: [{ id: "coffees", quantity: 5, total: 150 }] };
    expect(withoutLines(more, [{ line: coffees, quantity: 1 }], "", null).lines).toMatchObject([{ quantity: 4 }]);
    const moved = { lines: lines.filter(({ id }) => id !== "beers") };
    expect(giveAway(moved, [{ line: beers, quantity: 4 }], "Cumpleaños", String)).toEqual(moved);
  });

  it("a comp covers at most what still counts: what others have voided meanwhile stays void [TOUCH-437]", () => {
    const idOf = (lineId: string): string => `${lineId}-given`;
    const all = [{ line: beers, quantity: 4 }];
    const voided = { lines: [{ id: "beers", quantity: 4, total: 400, voided: true, voidReason: "No hay" }] };
    expect(giveAway(voided, all, "Cumpleaños", idOf)).toEqual(voided);
    const half = { lines: [{ id: "beers", quantity: 4, total: 200, voidedQuantity: 2 }] };
    expect(giveAway(half, all, "Cumpleaños", idOf).lines).toMatchObject([
      { id: "beers", quantity: 2, voidedQuantity: 2 },
      { id: "beers-given", quantity: 2, total: 200, voided: true, comp: true },
    ]);
  });

  it("a chosen part costs its part of the line, and all is chosen when no charged line stays [TOUCH-40]", () => {
    expect(costOf({ line: halfVoid, quantity: 1 })).toBe(100);
    expect(
      partsOf([
        { line: beers, quantity: 4 },
        { line: coffees, quantity: 1 },
      ]),
    ).toEqual([{ lineId: "beers" }, { lineId: "coffees", quantity: 1 }]);
    expect(isAll([beers, voided], [{ line: beers, quantity: 4 }])).toBe(true);
    expect(isAll([beers, voided], [{ line: beers, quantity: 3 }])).toBe(false);
  });

  it("lines and quantities that others added are listed where a sheet is about the whole check [TOUCH-441]", () => {
    const now = [{ ...beers, quantity: 6 }, { ...halfVoid, voidedQuantity: 3 }, voided, coffees];
    expect(addedSince([beers, halfVoid], now)).toEqual([
      { line: now[0], quantity: 2 },
      { line: coffees, quantity: 3 },
    ]);
    expect(addedSince(now, [beers, halfVoid])).toEqual([{ line: halfVoid, quantity: 1 }]);
  });
});
