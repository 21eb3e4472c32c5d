import { describe, expect, it } from "vitest";
import { compareWithMenu, discountIn, type PriceMenu, keepPrices } from "./discounts.ts";
import { type CheckWrite, findOrigins } from "./line-origins.ts";
import type { StoredLine, TerminalLine } from "@comanda/protocol";

const menu: PriceMenu = {
  products: [
    { id: 1, price: 100, taxIds: [], modifiers: [{ id: 9, name: "Media porción", price: -40 }] },
    { id: 2, price: 60, taxIds: [7] },
    { id: 3, price: 0, taxIds: [] },
  ],
  taxes: [{ id: 7, name: "Propina", rate: 10, included: false, orderTypes: ["dine_in"] }],
};

const line = (over: Partial<TerminalLine> = {}): TerminalLine => {
  return { id: "a", productId: 1, quantity: 1, unitPrice: 100, total: 100, ...over };
};
const sent = (over: Partial<StoredLine> = {}): StoredLine => ({
  ...line(),
  kitchenSentAt: "2026-01-01T20:00:00Z",
  ...over,
});

/** A dish that is not on the menu. */
const ownDish = { productId: 4, unitPrice: 14.2857 };
const taxedDish = { productId: 4, unitPrice: 100 };

function write(before: StoredLine[] | null, after: TerminalLine[], over: Partial<CheckWrite> = {}): CheckWrite {
  return {
    posReference: "A",
    snapshot: { lines: after },
    before: before === null ? undefined : { lines: before, orderType: "dine_in", tableId: null },
    ...over,
  };
}

const reasonOf = (...checks: CheckWrite[]) => discountIn(checks, menu)?.reason ?? null;

describe("discounts", () => {
  it.each([
    ["a lower unit price", [sent()], [line({ unitPrice: 1, total: 1 })], "lower_price"],
    ["a lower total at the same price", [sent()], [line({ total: 1 })], "lower_price"],
    ["a price left out", [sent()], [line({ unitPrice: undefined })], "lower_price"],
    [
      "a paid extra less, of what the kitchen has",
      [sent({ modifiers: [{ id: 8, price: 5 }] })],
      [line()],
      "lower_price",
    ],
    [
      "a part of a line at another price",
      [sent({ quantity: 2, total: 200 })],
      [line(), line({ id: "b", splitOf: "a", unitPrice: 1, total: 1 })],
      "lower_price",
    ],
    [
      "a cent less for as much as was left after a void",
      [sent({ quantity: 0.3, voidedQuantity: 0.1, unitPrice: 50, total: 5 })],
      [line({ quantity: 0.2, unitPrice: 50, total: 4.99 })],
      "lower_price",
    ],
    ["a negative line", [], [line(), line({ id: "b", unitPrice: -60, total: -60 })], "negative_line"],
    ["a negative price whose total hides it", [], [line({ unitPrice: -60, total: 0 })], "negative_line"],
    [
      "more of a negative line",
      [sent({ unitPrice: -5, total: -5 })],
      [line({ unitPrice: -5, total: -10, quantity: 2 })],
      "negative_line",
    ],
    [
      "the tax left out of more of it",
      [sent({ ...ownDish, total: 16.86 })],
      [line({ ...ownDish, quantity: 7, total: 100 })],
      "lower_price",
    ],
    [
      "what one part costs put on another",
      [sent({ ...ownDish, total: 14.29 }), sent({ ...ownDish, id: "b", quantity: 6, total: 85.71 })],
      [line({ ...ownDish, total: 4.29 }), line({ ...ownDish, id: "b", quantity: 6, total: 95.71 })],
      "lower_price",
    ],
    [
      "a lower total beside an extra, of a dish that is not on the menu",
      [sent({ ...ownDish, total: 14.29 })],
      [line({ ...ownDish, total: 1, modifiers: [{ id: 8, price: 1 }] })],
      "lower_price",
    ],
    [
      "the tax left out beside an extra, of a dish that is not on the menu",
      [sent({ ...taxedDish, total: 118 })],
      [line({ ...taxedDish, total: 119, modifiers: [{ id: 8, price: 1 }] })],
      "lower_price",
    ],
    [
      "the tax left out beside a bigger extra, of such a dish",
      [sent({ ...taxedDish, total: 118 })],
      [line({ ...taxedDish, total: 110, modifiers: [{ id: 8, price: 10 }] })],
      "lower_price",
    ],
    [
      "the tax left out beside an extra that is paid for, of a dish on the menu",
      [sent({ productId: 2, unitPrice: 60, total: 66 })],
      [line({ productId: 2, unitPrice: 60, total: 70, modifiers: [{ id: 8, price: 10 }] })],
      "lower_price",
    ],
    ["an extra that is not paid for", [sent()], [line({ modifiers: [{ id: 8, price: 5 }] })], "lower_price"],
    ["a lower price of what was not sent", [line()], [line({ unitPrice: 99, total: 99 })], "lower_price"],
  ] as const)("a discount is %s [PRICE-70]", (_, before, after, reason) => {
    expect(reasonOf(write([...before], [...after]))).toBe(reason);
  });

  it.each([
    ["a new line below the menu's price", [], [line({ unitPrice: 1, total: 1 })]],
    ["a higher price", [sent()], [line({ unitPrice: 120, total: 120 })]],
    ["a note", [sent()], [line({ note: "sin sal" })]],
    ["half a portion", [sent()], [line({ quantity: 0.5, total: 50 })]],
    ["another product on a line that was not sent", [line()], [line({ productId: 2, unitPrice: 60, total: 66 })]],
    ["other extras on a line that was not sent", [line({ modifiers: [{ id: 8, price: 5 }], total: 105 })], [line()]],
    ["the menu's price, which fell since", [line({ unitPrice: 130, total: 130 })], [line()]],
    [
      "a part that is a cent off",
      [sent({ quantity: 3 })],
      [line({ quantity: 1, total: 33.33 }), line({ id: "b", splitOf: "a", quantity: 2, total: 66.67 })],
    ],
    [
      "parts put together, of which one had the odd cents",
      [sent({ ...ownDish, total: 14.29 }), sent({ ...ownDish, id: "b", quantity: 6, total: 85.71 })],
      [line({ ...ownDish, quantity: 7, total: 100 })],
    ],
    [
      "some of a part put to the one that had the odd cents",
      [sent({ ...ownDish, total: 14.29 }), sent({ ...ownDish, id: "b", quantity: 6, total: 85.71 })],
      [line({ ...ownDish, quantity: 6, total: 85.71 }), line({ ...ownDish, id: "b", total: 14.29 })],
    ],
    [
      "a negative line that is there, in two parts",
      [sent({ unitPrice: -60, total: -60 })],
      [
        line({ unitPrice: -60, quantity: 0.5, total: -30 }),
        line({ id: "b", splitOf: "a", unitPrice: -60, quantity: 0.5, total: -30 }),
      ],
    ],
    [
      "an extra with its tax, of a dish on the menu",
      [sent({ productId: 2, unitPrice: 60, total: 66 })],
      [line({ productId: 2, unitPrice: 60, total: 77, modifiers: [{ id: 8, price: 10 }] })],
    ],
    [
      "an extra with its tax, of a dish that is not on the menu",
      [sent({ ...taxedDish, total: 118 })],
      [line({ ...taxedDish, total: 119.18, modifiers: [{ id: 8, price: 1 }] })],
    ],
    [
      "an extra less with its tax, of such a dish with a discount that was not sent",
      [line({ ...taxedDish, total: 70.8, discount: { amount: 50 }, modifiers: [{ id: 8, price: 10 }] })],
      [line({ ...taxedDish, total: 59, discount: { amount: 50 } })],
    ],
    [
      "the price of a line that never had a product",
      [sent({ productId: undefined })],
      [line({ productId: undefined })],
    ],
  ] as const)("no discount is %s [PRICE-70]", (_, before, after) => {
    expect(reasonOf(write([...before], [...after]))).toBeNull();
  });

  it("a discount is detected on a line that moves to another check [PRICE-70]", () => {
    const from = (lines: TerminalLine[]) => write([sent({ id: "x" })], lines);
    const into = (moved: TerminalLine) =>
      write([sent({ id: "y", unitPrice: 1, total: 1 })], [moved], { posReference: "B" });
    expect(reasonOf(from([]), into(line({ id: "x" })))).toBeNull();
    expect(reasonOf(from([]), into(line({ id: "x", unitPrice: 1, total: 1 })))).toBe("lower_price");
    expect(discountIn([from([]), into(line({ id: "z", splitOf: "x", splitFrom: "A", total: 1 }))], menu)).toEqual({
      posReference: "B",
      lineId: "z",
      reason: "lower_price",
    });
  });

  it("a part that moves on may cost less than the rest of its line, which got an extra since [PRICE-70]", () => {
    const [dearer, other] = [
      { modifiers: [{ id: 8, price: 5 }], total: 105 },
      { id: "b", splitOf: "a" },
    ];
    const moved = (kitchenLineId: string) => [
      write([sent({ ...dearer, kitchenLineId: "d" }), sent({ ...other, kitchenLineId })], [line(dearer)]),
      write(null, [line(other)], { posReference: "B" }),
    ];
    expect(reasonOf(...moved("d"))).toBeNull();
    expect(reasonOf(...moved("e"))).toBe("lower_price");
  });

  it("changing to takeout may drop the legal tip, and no more than that [PRICE-70]", () => {
    const tipped = sent({ productId: 2, unitPrice: 60, total: 66 });
    const reasonOfTakeout = (total: number) => {
      const check = write([tipped], [line({ productId: 2, unitPrice: 60, total })]);
      return reasonOf({ ...check, snapshot: { ...check.snapshot, orderType: "takeout" } });
    };
    expect(reasonOfTakeout(60)).toBeNull();
    expect(reasonOfTakeout(59)).toBe("lower_price");
    expect(reasonOf(write([tipped], [line({ productId: 2, unitPrice: 60, total: 60 })]))).toBe("lower_price");
    const reasonOffMenu = (total: number) => {
      const check = write([sent({ ...ownDish, total: 15.71 })], [line({ ...ownDish, total })]);
      return reasonOf({ ...check, snapshot: { ...check.snapshot, orderType: "takeout" } });
    };
    expect([reasonOffMenu(14.29), reasonOffMenu(14)]).toEqual([null, "lower_price"]);
  });
});

describe("a line without price", () => {
  it("a line without price keeps its previous price by quantity, and a new one costs nothing [PRICE-73]", () => {
    const lines = [line({ quantity: 3, unitPrice: undefined, total: undefined })];
    const before = sent({ quantity: 2, total: 236 });
    const fill = (check: CheckWrite) => lines.map((each) => keepPrices(findOrigins([check]))(check, each));
    expect(fill(write([before], lines))).toMatchObject([{ unitPrice: 100, total: 354 }]);
    expect(fill(write(null, lines))).toEqual(lines);
  });
});

describe("comparison with the menu", () => {
  const checked = (before: StoredLine[], after: TerminalLine, with_: PriceMenu | null = menu) => {
    const check = write(before, [after]);
    const { line: marked, isNews } = compareWithMenu(findOrigins([check]), with_)(check, after);
    return [marked["menuCheck"], isNews];
  };

  it("a line is marked if it costs less than on the menu, or is not on the menu [PRICE-71]", () => {
    expect(checked([], line())).toEqual([undefined, false]);
    expect(checked([], line({ unitPrice: 99, total: 99 }))).toEqual(["below", true]);
    expect(checked([], line({ total: 99 }))).toEqual(["below", true]);
    expect(checked([], line({ productId: 2, unitPrice: 60, total: 60 }))).toEqual(["below", true]);
    expect(checked([], line({ productId: 77 }))).toEqual(["unknown", false]);
    expect(checked([], line({ productId: undefined }))).toEqual(["unknown", false]);
    expect(checked([], line(), null)).toEqual(["unknown", false]);
  });

  it("the menu's own extras and open prices are accepted, even if they lower the price [PRICE-71]", () => {
    expect(checked([], line({ modifiers: [{ id: 9, price: -40 }], total: 60 }))).toEqual([undefined, false]);
    expect(checked([], line({ modifiers: [{ id: 9, price: -90 }], total: 10 }))).toEqual(["below", true]);
    expect(checked([], line({ modifiers: [{ id: 5, price: -40 }], total: 60 }))).toEqual(["below", true]);
    expect(checked([], line({ productId: 3, unitPrice: 12, total: 12 }))).toEqual([undefined, false]);
    expect(checked([], line({ quantity: 0.5, total: 50 }))).toEqual([undefined, false]);
  });

  it("the mark stays while the price does, whatever the terminal or a new menu says [PRICE-71]", () => {
    const cheap = line({ unitPrice: 40, total: 40 });
    expect(checked([{ ...cheap, menuCheck: "below" }], { ...cheap, note: "x" })).toEqual(["below", false]);
    expect(checked([cheap], { ...cheap, menuCheck: "below" })).toEqual([undefined, false]);
    expect(checked([], { ...cheap, menuCheck: "unknown" })).toEqual(["below", true]);
    expect(checked([{ ...cheap, menuCheck: "below" }], line({ unitPrice: 30, total: 30 }))).toEqual(["below", true]);
  });

  it("a line loses its mark when its price is raised to the menu's, and not before [PRICE-71]", () => {
    const cheap: StoredLine = { ...line({ unitPrice: 40, total: 40 }), menuCheck: "below" };
    expect(checked([cheap], line({ unitPrice: 50, total: 50 }))).toEqual(["below", false]);
    expect(checked([cheap], line())).toEqual([undefined, false]);
    expect(checked([{ ...line({ total: 99 }), menuCheck: "below" }], line())).toEqual([undefined, false]);
    expect(checked([line({ unitPrice: 40, total: 40 })], line({ unitPrice: 50, total: 50 }))).toEqual([
      undefined,
      false,
    ]);
  });

  it("a line without a product is compared with the menu when it gets one [PRICE-71]", () => {
    const special: StoredLine = { ...line({ productId: undefined, unitPrice: 1, total: 1 }), menuCheck: "unknown" };
    expect(checked([special], line({ unitPrice: 1, total: 1 }))).toEqual(["below", true]);
    expect(checked([special], line())).toEqual([undefined, false]);
  });

  it("a fixed discount returns to its line with the part that had its share [PRICE-12, PRICE-23]", () => {
    const off = (amount: number) => ({ discount: { amount } });
    const rest = sent({ quantity: 2, total: 133.33, ...off(66.67) });
    const part = sent({ id: "b", splitOf: "a", splitFrom: "A", total: 66.67, ...off(33.33) });
    const whole = line({ quantity: 3, total: 200, ...off(100) });
    expect(reasonOf(write([rest], [whole]), write([part], [], { posReference: "B" }))).toBeNull();
    expect(reasonOf(write([rest, part], [whole]))).toBeNull();
    expect(reasonOf(write([rest, part], [whole, line({ id: "b", splitOf: "a", ...off(33.33) })]))).toBe(
      "line_discount",
    );
    expect(reasonOf(write([rest, part], [{ ...whole, ...off(100.01) }]))).toBe("line_discount");
  });

  it("a fixed discount does not grow by splitting or merging its line [PRICE-12, PRICE-23]", () => {
    const off = (amount: number) => ({ discount: { amount } });
    const whole = sent({ quantity: 3, total: 200, ...off(100) });
    const copied = (id: string) => line({ id, splitOf: "a", splitFrom: "A", total: 0, ...off(100) });
    expect(reasonOf(write([whole], [line({ quantity: 2, total: 100, ...off(100) }), copied("b")]))).toBe(
      "line_discount",
    );
    expect(reasonOf(write([whole], []), write([], [copied("b"), copied("c")], { posReference: "B" }))).toBe(
      "line_discount",
    );
    const rest = sent({ quantity: 2, total: 133.33, ...off(66.67) });
    const part = sent({ id: "b", splitOf: "a", splitFrom: "A", total: 66.67, ...off(33.33) });
    const again = line({ id: "c", splitOf: "b", total: 66.67, ...off(33.33) });
    expect(reasonOf(write([rest, part], [line({ quantity: 2, total: 100, ...off(100) }), again]))).toBe(
      "line_discount",
    );
    // The same part on two checks counts twice.
    const { kitchenSentAt: _, ...copy } = part;
    expect(reasonOf(write([rest, part], [rest, copy]), write([], [copy], { posReference: "B" }))).toBe("line_discount");
    // It may move to another check, come back, and be split again.
    expect(reasonOf(write([rest], [rest, copy]), write([part], [], { posReference: "B" }))).toBeNull();
    const halves = ["c", "d"].map((id) => line({ id, quantity: 0.5, splitOf: "b", total: 33.34, ...off(16.66) }));
    expect(reasonOf(write([rest, part], [rest, ...halves]))).toBeNull();
  });

  it("a comp does not grow by splitting its line [TILL-34]", () => {
    const comped = { voided: true, comp: true, total: 0 } as const;
    const free = (id: string, quantity: number) => line({ ...comped, id, quantity, splitOf: "a" });
    const before = sent({ ...comped, quantity: 2 });
    expect(reasonOf(write([before], [line({ ...comped, quantity: 1 }), free("b", 1)]))).toBeNull();
    expect(reasonOf(write([before], [line({ ...comped, quantity: 2 }), free("b", 1)]))).toBe("comp");
  });
});
