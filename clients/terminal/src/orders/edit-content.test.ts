import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { content, line } from "../../test/builders.ts";
import { joinLines, mergeChecks, moveLines, splitInTwo, splitLine, takeBackLines, voidLine } from "./edit-content.ts";
import { linesOf, type OrderContent } from "./order-content.ts";

const wine = line("wine", { quantity: 3, unitPrice: 33.35, total: 100.05, taxAmount: 15.26 });
const beer = line("beer", { total: 3 });
const check = content([wine, beer]);

/** Generates unique ids. */
function ids() {
  let made = 0;
  return () => `new ${(made += 1)}`;
}

function sums(...contents: OrderContent[]) {
  const cents = (values: (number | undefined)[]) =>
    values.reduce<number>((sum, value) => sum + Math.round((value ?? 0) * 100), 0);
  const lines = contents.flatMap(linesOf);
  return {
    quantity: cents(lines.map(({ quantity }) => quantity)),
    total: cents(lines.map(({ total }) => total)),
    tax: cents(lines.map(({ taxAmount }) => taxAmount)),
    totals: cents(contents.map(({ totals }) => totals?.total)),
  };
}

describe("moveLines", () => {
  it("moveLines moves whole lines as they are, and a part as a new line that names its origin [CLIENT-124]", () => {
    const from = { posReference: "A", content: check };
    const moved = moveLines(from, content([]), [{ lineId: "wine", quantity: 1 }, { lineId: "beer" }], ids());
    expect(moved.from.lines).toMatchObject([{ id: "wine", quantity: 2, total: 66.7 }]);
    const part = { id: "new 1", quantity: 1, total: 33.35, splitOf: "wine", splitFrom: "A" };
    expect(moved.into.lines).toMatchObject([part, beer]);
    expect(moved.into.totals).toEqual({ subtotal: 31.26, tax: 5.09, total: 36.35 });
  });

  it("moveLines gives a line a new id if the other check has its id already [CLIENT-124]", () => {
    const moved = moveLines({ posReference: "A", content: check }, content([beer]), [{ lineId: "beer" }], ids());
    expect(moved.into.lines).toMatchObject([beer, { ...beer, id: "new 1", splitOf: "beer", splitFrom: "A" }]);
  });

  it("moveLines loses no cent and no quantity, even of a line that is partly void [CLIENT-124]", () => {
    const amounts = fc.record({
      quantity: fc.integer({ min: 1, max: 9 }),
      total: fc.integer({ min: 0, max: 99_999 }).map((cents) => cents / 100),
      taxAmount: fc.integer({ min: 0, max: 9_999 }).map((cents) => cents / 100),
      voided: fc.integer({ min: 0, max: 9 }),
      part: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(amounts, ({ voided, part, ...fields }) => {
        const voidedQuantity = Math.min(voided, fields.quantity - 1);
        const before = content([line("wine", { ...fields, voidedQuantity })]);
        const parts = [{ lineId: "wine", quantity: part }];
        const { from, into } = moveLines({ posReference: "A", content: before }, content([]), parts, ids());
        expect(sums(from, into)).toEqual(sums(before));
        const inOne = splitLine(before, "wine", part, "new");
        expect(sums(inOne)).toEqual(sums(before));
        for (const each of [...linesOf(from), ...linesOf(into), ...linesOf(inOne)]) {
          expect(each.voidedQuantity ?? 0).toBeLessThanOrEqual(each.quantity);
        }
      }),
    );
  });
});

it("a fixed discount is divided with its line, even if a part is repriced [CLIENT-124, PRICE-12]", () => {
  const menu = { products: [{ id: 7, taxIds: [] }], taxes: [], rounding: "line" as const };
  const priced = { productId: 7, quantity: 4, unitPrice: 100, total: 370, taxAmount: 0, discount: { amount: 30 } };
  const before = content([line("wine", priced)], { orderType: "dine_in" });
  const away = content([], { orderType: "takeout" });
  const parts = [{ lineId: "wine", quantity: 1 }];
  const { from, into } = moveLines({ posReference: "A", content: before }, away, parts, ids(), menu);
  expect(from.lines).toMatchObject([{ quantity: 3, total: 277.5, discount: { amount: 22.5 } }]);
  expect(into.lines).toMatchObject([{ quantity: 1, total: 92.5, discount: { amount: 7.5 } }]);
  const third = splitLine(content([line("wine", { ...priced, quantity: 3 })]), "wine", 1, "new");
  expect(linesOf(third).map((each) => each["discount"])).toEqual([{ amount: 20 }, { amount: 10 }]);
  const allVoid = splitLine(content([line("wine", { ...priced, voidedQuantity: 4, total: 0 })]), "wine", 1, "new");
  expect(linesOf(allVoid).map((each) => each["discount"])).toEqual([{ amount: 22.5 }, { amount: 7.5 }]);
  const byPercent = splitLine(content([line("wine", { ...priced, discount: { percent: 10 } })]), "wine", 1, "new");
  expect(linesOf(byPercent).map((each) => each["discount"])).toEqual([{ percent: 10 }, { percent: 10 }]);
});

describe("splitLine", () => {
  it("splitLine splits a line within its check [CLIENT-124]", () => {
    const parted = splitLine(check, "wine", 1, "glass");
    expect(parted.lines).toMatchObject([
      { id: "wine", quantity: 2 },
      { id: "glass", quantity: 1, splitOf: "wine" },
      beer,
    ]);
    expect(parted.lines?.[1]).not.toHaveProperty("splitFrom");
    expect(parted.totals).toEqual(check.totals);
  });
});

describe("mergeChecks", () => {
  it("mergeChecks leaves nothing behind, and moves discounts along [CLIENT-125]", () => {
    const discount = { kind: "discount", amount: -10 } as const;
    const from = { ...check, adjustments: [discount], totals: { subtotal: 0, tax: 0, total: 93.05 } };
    const merged = mergeChecks({ posReference: "A", content: from }, content([line("soup")]), ids());
    expect(merged.from).toMatchObject({ lines: [], adjustments: [], totals: { total: 0 } });
    expect(merged.into.lines?.map(({ id }) => id)).toEqual(["soup", "wine", "beer"]);
    expect(merged.into).toMatchObject({ adjustments: [discount], totals: { total: 94.05 } });
  });
});

describe("takeBackLines", () => {
  const parts = [{ lineId: "wine", quantity: 1 }, { lineId: "beer" }];

  it("takeBackLines removes lines and lowers them [TOUCH-12]", () => {
    const rest = takeBackLines(check, parts);
    expect(rest.lines).toMatchObject([{ id: "wine", quantity: 1, total: 33.35 }]);
    expect(rest.totals?.total).toBe(33.35);
  });

  it("takeBackLines can keep the removed quantity on the check as new lines, at no other price [TOUCH-12]", () => {
    const split = content([{ ...wine, splitOf: "bottle", splitFrom: "B" }, beer]);
    const restored = takeBackLines(split, parts, ids());
    expect(restored.lines).toMatchObject([
      { id: "wine", quantity: 1 },
      { id: "new 1", quantity: 2 },
      { ...beer, id: "new 2" },
    ]);
    expect(restored.lines?.[1]).not.toHaveProperty("splitOf");
    expect(sums(restored)).toEqual(sums(check));
  });
});

describe("voidLine", () => {
  it("voidLine voids a line whole or in part, with its reason, and undoes it [CLIENT-126, PRICE-81]", () => {
    const part = voidLine(check, "wine", { quantity: 2, reason: "spilled" });
    const partFields = { quantity: 3, voidedQuantity: 2, voidReason: "spilled", total: 33.35, taxAmount: 5.09 };
    expect(part.lines?.[0]).toMatchObject(partFields);
    expect(part.totals?.total).toBe(36.35);
    expect(voidLine(part, "wine", { quantity: 3 }).lines?.[0]).toMatchObject({ voided: true });
    expect(voidLine(check, "wine").totals?.total).toBe(3);
    const half = voidLine(content([line("soup", { quantity: 2, total: 20.15 })]), "soup", { quantity: 1 });
    expect(half.totals?.total).toBe(10.08);
    const back = voidLine(part, "wine", { quantity: 0 }).lines?.[0];
    expect(back).toMatchObject({ quantity: 3, total: 100.05 });
    expect(back).not.toHaveProperty("voidedQuantity");
  });

  it("voidLine puts parts together again, including discount and void part [CLIENT-324]", () => {
    const meat = line("meat", {
      quantity: 0.355,
      voidedQuantity: 0.1,
      total: 99.99,
      taxAmount: 15.25,
      discount: { amount: 10.01 },
    });
    for (const quantity of [0.118, 0.3]) {
      const [rest, part] = splitInTwo(meat, quantity);
      expect(joinLines(rest, part)).toEqual(meat);
    }
  });
});
