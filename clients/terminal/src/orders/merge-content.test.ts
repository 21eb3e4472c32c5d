import { addUp } from "@comanda/rules";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyContent, content, line } from "../../test/builders.ts";
import { addLine, mergeChecks, voidLine } from "./edit-content.ts";
import { changeQuantity, removeLine } from "./edit-draft.ts";
import { mergeContent } from "./merge-content.ts";
import { totalsOfLines } from "./merge-totals.ts";
import { linesOf, type OrderLine, sameContent } from "./order-content.ts";

const soup = line("soup", { total: 5 });
const beer = line("beer", { total: 3 });
const wine = line("wine", { total: 8 });
const base = content([soup]);

describe("mergeContent", () => {
  it("a merge keeps the additions of both sides, the hub's first [CLIENT-38]", () => {
    expect(mergeContent(base, addLine(base, wine), addLine(base, beer))).toEqual({
      content: { ...content([soup, beer, wine]), totals: { subtotal: 16, tax: 0, total: 16 } },
      collisions: [],
    });
  });

  it("a merge combines edits of different lines and fields [CLIENT-38]", () => {
    const two = content([soup, beer]);
    const mine = { ...changeQuantity(two, "soup", 2), notes: "window" };
    const hub = { ...removeLine(two, "beer"), guestCount: 4 };
    const merged = mergeContent(two, mine, hub);
    expect(merged.collisions).toEqual([]);
    expect(linesOf(merged.content)).toEqual([{ ...soup, quantity: 2, total: 10 }]);
    expect(merged.content).toMatchObject({ notes: "window", guestCount: 4, totals: { total: 10 } });
  });

  it.each([
    ["both changed it", changeQuantity(base, "soup", 2), changeQuantity(base, "soup", 3)],
    ["the hub removed what I changed", changeQuantity(base, "soup", 2), removeLine(base, "soup")],
    ["I removed what the hub changed", removeLine(base, "soup"), changeQuantity(base, "soup", 3)],
    ["one voided what the other changed", voidLine(base, "soup"), changeQuantity(base, "soup", 3)],
  ])("a merge finds a collision on a line: %s [CLIENT-38]", (_name, mine, hub) => {
    const merged = mergeContent(base, mine, hub);
    expect(merged.collisions).toEqual([{ kind: "line", lineId: "soup" }]);
    expect(linesOf(merged.content)).toEqual(linesOf(mine));
  });

  it("a merge finds a collision on a field, and none where both sides wrote the same [CLIENT-38]", () => {
    const mine = { ...base, notes: "window", guestCount: 3 };
    const hub = { ...base, notes: "terrace", guestCount: 3 };
    expect(mergeContent(base, mine, hub).collisions).toEqual([{ kind: "field", field: "notes" }]);
  });

  it("a merge of checks names no guests, whatever the other side has written [CLIENT-38, RULE-42]", () => {
    const { into } = mergeChecks(
      { posReference: "A", content: content([beer]) },
      { ...base, guestCount: 2 },
      () => "x",
    );
    const merged = mergeContent({ ...base, guestCount: 2 }, into, { ...base, guestCount: 3 });
    expect(merged.collisions).toEqual([]);
    expect(merged.content).not.toHaveProperty("guestCount");
  });

  it("a merge combines plugin data by plugin [CLIENT-38]", () => {
    const mine = { ...base, pluginData: { reservations: { key: "a" } } };
    const hub = { ...base, pluginData: { loyalty: { points: 3 } } };
    expect(mergeContent(base, mine, hub).content.pluginData).toEqual({
      reservations: { key: "a" },
      loyalty: { points: 3 },
    });
  });

  it("a merge does not count kitchen progress and the hub's own forms as changes [CLIENT-38]", () => {
    const mine = changeQuantity(base, "soup", 2);
    const hub = content([
      {
        ...soup,
        productId: String(soup.productId),
        taxAmount: 0,
        taxIds: [],
        kitchenSentAt: "2026-01-01",
        sentQuantity: 1,
      },
    ]);
    expect(mergeContent(base, mine, hub).collisions).toEqual([]);
  });

  it("a merge carries over a discount on top of the lines [CLIENT-39]", () => {
    const mine = { ...base, totals: { subtotal: 4, tax: 0, total: 4 } };
    const merged = mergeContent(base, mine, addLine(base, beer));
    expect(merged.content.totals).toEqual({ subtotal: 7, tax: 0, total: 7 });
  });

  it("a discount that both sides limited differently does not collide in a merge [CLIENT-39, PRICE-85]", () => {
    const free = (total: number, lines: OrderLine[]) => ({
      ...content(lines),
      ...addUp(lines, [{ kind: "discount", amount: -total, reason: "cortesía" }]),
    });
    const merged = mergeContent(free(20, [soup]), free(20, [soup, wine]), free(20, [soup, beer]));
    expect(merged).toEqual({ content: free(20, [soup, beer, wine]), collisions: [] });
    expect(merged.content).toMatchObject({ adjustments: [{ amount: -16, granted: -20 }], totals: { total: 0 } });
  });

  it("two different discounts collide in a merge [CLIENT-39]", () => {
    const mine = { ...base, totals: { subtotal: 4, tax: 0, total: 4 } };
    const hub = { ...base, totals: { subtotal: 3, tax: 0, total: 3 } };
    expect(mergeContent(base, mine, hub).collisions).toEqual([{ kind: "field", field: "totals" }]);
  });

  it("a merge leaves the hub's state as it is where nothing was changed here [CLIENT-38]", () => {
    fc.assert(
      fc.property(anyContent, anyContent, (before, hub) => {
        const merged = mergeContent(before, before, hub);
        expect(merged.collisions).toEqual([]);
        expect(sameContent(merged.content, hub)).toBe(true);
      }),
    );
  });

  it("a merge is this device's change where the hub changed nothing [CLIENT-38]", () => {
    fc.assert(
      fc.property(anyContent, anyContent, (before, mine) => {
        const merged = mergeContent(before, mine, before);
        expect(merged.collisions).toEqual([]);
        expect(sameLinesAsSet(merged.content, mine)).toBe(true);
        expect(merged.content.totals).toEqual(mine.totals);
      }),
    );
  });

  it("a merge changes nothing if the hub has the change already [CLIENT-32]", () => {
    fc.assert(
      fc.property(anyContent, anyContent, anyContent, (before, mine, hub) => {
        const once = mergeContent(before, mine, hub);
        fc.pre(once.collisions.length === 0);
        const twice = mergeContent(before, mine, once.content);
        expect(twice.collisions).toEqual([]);
        expect(sameContent(twice.content, once.content)).toBe(true);
      }),
    );
  });

  it("a merge keeps plain totals plain [CLIENT-39]", () => {
    fc.assert(
      fc.property(anyContent, anyContent, anyContent, (before, mine, hub) => {
        const merged = mergeContent(before, mine, hub);
        expect(merged.content.totals).toEqual(totalsOfLines(linesOf(merged.content)));
      }),
    );
  });
});

function sameLinesAsSet(one: Parameters<typeof linesOf>[0], other: Parameters<typeof linesOf>[0]): boolean {
  const sorted = (lines: ReturnType<typeof linesOf>) => lines.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return sameContent({ lines: sorted(linesOf(one)) }, { lines: sorted(linesOf(other)) });
}
