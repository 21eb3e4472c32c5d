import type { Rounding } from "@comanda/protocol";
import type { LineAmounts, LinePart } from "../src/money/split.ts";
import type { LineToPrice, TaxToPrice } from "../src/money/pricing/price-line.ts";

// Calculated by hand from the specification, never copied from the code's results. Terminals, the hub and the
// back-office stand-in are tested with them.

const anywhere = ["dine_in", "takeout", "delivery"];

/** Dominican taxes: ITBIS of 18 % and (reduced) 16 %, and the legal tip of 10 %; on top of the price or included in it. */
export const vectorTaxes = {
  itbis: { id: 1, rate: 18, included: false, orderTypes: anywhere },
  tip: { id: 2, rate: 10, included: false, orderTypes: ["dine_in"] },
  exempt: { id: 3, rate: 0, included: false, orderTypes: anywhere },
  itbisIncluded: { id: 4, rate: 18, included: true, orderTypes: anywhere },
  tipIncluded: { id: 5, rate: 10, included: true, orderTypes: ["dine_in"] },
  reduced: { id: 6, rate: 16, included: false, orderTypes: anywhere },
} as const satisfies Record<string, TaxToPrice>;

const { itbis, tip, exempt, itbisIncluded, tipIncluded, reduced } = vectorTaxes;
const onTop = [itbis, tip];
const inside = [itbisIncluded, tipIncluded];

type Amounts = readonly [subtotal: number, tax: number, total: number];

export interface OrderVector {
  topic: string;
  name: string;
  orderType: "dine_in" | "takeout" | "delivery";
  /** Per line if absent. */
  rounding?: Rounding;
  lines: (LineToPrice & { voided?: boolean; expected: Amounts })[];
  adjustments?: { kind: "discount" | "tip" | "service"; amount: number }[];
  /** `taxes` by the tax's id; `rounding` is 0 if absent. */
  expected: { amounts: Amounts; taxes: Record<string, number>; rounding?: number };
}

type Line = OrderVector["lines"][number];

/** Builds a line of one unit. */
function one(unitPrice: number, taxes: readonly TaxToPrice[], expected: Amounts, more: Partial<Line> = {}): Line {
  return { unitPrice, quantity: 1, taxes, expected, ...more };
}

/** Builds an order of one line, whose amounts are also the order's. */
function single(line: Line, taxes: Record<string, number>): Pick<OrderVector, "lines" | "expected"> {
  return { lines: [line], expected: { amounts: line.expected, taxes } };
}

function repeat(count: number, line: Line): Line[] {
  return Array.from({ length: count }, () => line);
}

function topic(name: string, vectors: Omit<OrderVector, "topic">[]): OrderVector[] {
  return vectors.map((vector) => ({ topic: name, ...vector }));
}

const taxesOnTop = topic("taxes on top", [
  { name: "18 % of 100", orderType: "takeout", ...single(one(100, [itbis], [100, 18, 118]), { 1: 18 }) },
  {
    name: "ITBIS and legal tip are both of the net price",
    orderType: "dine_in",
    ...single(one(100, onTop, [100, 28, 128]), { 1: 18, 2: 10 }),
  },
  { name: "no legal tip on takeout", orderType: "takeout", ...single(one(100, onTop, [100, 18, 118]), { 1: 18 }) },
  { name: "no legal tip on delivery", orderType: "delivery", ...single(one(100, onTop, [100, 18, 118]), { 1: 18 }) },
  {
    // 675; 121.50 and 67.50.
    name: "three of 225",
    orderType: "dine_in",
    ...single(one(225, onTop, [675, 189, 864], { quantity: 3 }), { 1: 121.5, 2: 67.5 }),
  },
  {
    // 35.10 and 19.50.
    name: "one of 195",
    orderType: "dine_in",
    ...single(one(195, onTop, [195, 54.6, 249.6]), { 1: 35.1, 2: 19.5 }),
  },
  { name: "an exempt product", orderType: "dine_in", ...single(one(60, [exempt], [60, 0, 60]), { 3: 0 }) },
  { name: "a product without taxes", orderType: "dine_in", ...single(one(75, [], [75, 0, 75]), {}) },
  { name: "the reduced rate", orderType: "takeout", ...single(one(250, [reduced], [250, 40, 290]), { 6: 40 }) },
  {
    // 0.045.
    name: "half a cent of tax goes up",
    orderType: "takeout",
    ...single(one(0.25, [itbis], [0.25, 0.05, 0.3]), { 1: 0.05 }),
  },
  {
    // 0.135, which is slightly less in binary.
    name: "half a cent that binary fractions cannot hold goes up",
    orderType: "takeout",
    ...single(one(0.75, [itbis], [0.75, 0.14, 0.89]), { 1: 0.14 }),
  },
  {
    // 0.009 and 0.005.
    name: "each tax is rounded by itself",
    orderType: "dine_in",
    ...single(one(0.05, onTop, [0.05, 0.02, 0.07]), { 1: 0.01, 2: 0.01 }),
  },
  {
    // 2.223 and 1.235.
    name: "one tax goes down, the other up",
    orderType: "dine_in",
    ...single(one(12.35, onTop, [12.35, 3.46, 15.81]), { 1: 2.22, 2: 1.24 }),
  },
  {
    name: "taxed and exempt products on one check",
    orderType: "takeout",
    lines: [one(100, [itbis], [200, 36, 236], { quantity: 2 }), one(75, [exempt], [75, 0, 75])],
    expected: { amounts: [275, 36, 311], taxes: { 1: 36, 3: 0 } },
  },
  {
    // 14.40 and 8.00 each.
    name: "three coffees on three lines",
    orderType: "dine_in",
    lines: repeat(3, one(80, onTop, [80, 22.4, 102.4])),
    expected: { amounts: [240, 67.2, 307.2], taxes: { 1: 43.2, 2: 24 } },
  },
]);

const taxesIncluded = topic("taxes included", [
  { name: "118 is 100 and 18", orderType: "takeout", ...single(one(118, [itbisIncluded], [100, 18, 118]), { 4: 18 }) },
  {
    // 100 × 18 / 118 = 15.2542…
    name: "100 stays 100",
    orderType: "takeout",
    ...single(one(100, [itbisIncluded], [84.75, 15.25, 100]), { 4: 15.25 }),
  },
  {
    // 900 / 118 = 7.6271…
    name: "50 stays 50",
    orderType: "takeout",
    ...single(one(50, [itbisIncluded], [42.37, 7.63, 50]), { 4: 7.63 }),
  },
  {
    // 0.1525…
    name: "one peso",
    orderType: "delivery",
    ...single(one(1, [itbisIncluded], [0.85, 0.15, 1]), { 4: 0.15 }),
  },
  {
    // 0.0076…
    name: "five cents",
    orderType: "takeout",
    ...single(one(0.05, [itbisIncluded], [0.04, 0.01, 0.05]), { 4: 0.01 }),
  },
  {
    // 0.0015…
    name: "one cent holds no tax",
    orderType: "takeout",
    ...single(one(0.01, [itbisIncluded], [0.01, 0, 0.01]), { 4: 0 }),
  },
  {
    name: "ITBIS and legal tip included",
    orderType: "dine_in",
    ...single(one(128, inside, [100, 28, 128]), { 4: 18, 5: 10 }),
  },
  {
    // 500 / 1.28 = 390.625: 70.3125 and 39.0625.
    name: "500 with both included stays 500",
    orderType: "dine_in",
    ...single(one(500, inside, [390.63, 109.37, 500]), { 4: 70.31, 5: 39.06 }),
  },
  {
    name: "an included tip is taken out of a takeout",
    orderType: "takeout",
    ...single(one(128, inside, [100, 18, 118]), { 4: 18 }),
  },
  {
    // 390.625 × 1.18 = 460.9375.
    name: "an included tip is taken out of a delivery",
    orderType: "delivery",
    ...single(one(500, inside, [390.63, 70.31, 460.94]), { 4: 70.31 }),
  },
  {
    name: "three of 118",
    orderType: "dine_in",
    ...single(one(118, [itbisIncluded], [300, 54, 354], { quantity: 3 }), { 4: 54 }),
  },
  {
    // 299.97 × 18 / 118 = 45.7581…
    name: "three of 99.99",
    orderType: "dine_in",
    ...single(one(99.99, [itbisIncluded], [254.21, 45.76, 299.97], { quantity: 3 }), { 4: 45.76 }),
  },
]);

const mixedTaxes = topic("taxes included and on top", [
  {
    name: "the tip on top is of the price without the included ITBIS",
    orderType: "dine_in",
    ...single(one(118, [itbisIncluded, tip], [100, 28, 128]), { 4: 18, 2: 10 }),
  },
  {
    // Net 84.7457…: ITBIS 15.2542…, tip 8.4745…
    name: "the tip on top is of the net price before it is rounded",
    orderType: "dine_in",
    ...single(one(100, [itbisIncluded, tip], [84.75, 23.72, 108.47]), { 4: 15.25, 2: 8.47 }),
  },
  {
    name: "the same as takeout",
    orderType: "takeout",
    ...single(one(100, [itbisIncluded, tip], [84.75, 15.25, 100]), { 4: 15.25 }),
  },
  {
    name: "ITBIS on top of a price with the tip included",
    orderType: "dine_in",
    ...single(one(110, [itbis, tipIncluded], [100, 28, 128]), { 1: 18, 5: 10 }),
  },
  {
    name: "the same as takeout, without the tip",
    orderType: "takeout",
    ...single(one(110, [itbis, tipIncluded], [100, 18, 118]), { 1: 18 }),
  },
  {
    name: "products with and without included taxes on one check",
    orderType: "takeout",
    lines: [one(100, [itbis], [100, 18, 118]), one(118, [itbisIncluded], [100, 18, 118])],
    expected: { amounts: [200, 36, 236], taxes: { 1: 18, 4: 18 } },
  },
  {
    name: "every rate on one check",
    orderType: "dine_in",
    lines: [
      one(100, onTop, [100, 28, 128]),
      one(128, inside, [100, 28, 128]),
      one(50, [reduced, tip], [50, 13, 63]),
      one(60, [exempt], [60, 0, 60]),
    ],
    expected: { amounts: [310, 69, 379], taxes: { 1: 18, 2: 15, 4: 18, 5: 10, 6: 8, 3: 0 } },
  },
]);

const fractions = topic("fractions", [
  {
    // 149.85; 26.973.
    name: "0.333 kg of 450",
    orderType: "takeout",
    ...single(one(450, [itbis], [149.85, 26.97, 176.82], { quantity: 0.333 }), { 1: 26.97 }),
  },
  {
    // 33.29667, rounded to 33.30; 5.994.
    name: "0.333 kg of 99.99: the price is rounded before it is taxed",
    orderType: "takeout",
    ...single(one(99.99, [itbis], [33.3, 5.99, 39.29], { quantity: 0.333 }), { 1: 5.99 }),
  },
  {
    // 0.025, rounded to 0.03; 0.0054.
    name: "a price that rounding raises bears the tax of the raised one",
    orderType: "takeout",
    ...single(one(0.2, [itbis], [0.03, 0.01, 0.04], { quantity: 0.125 }), { 1: 0.01 }),
  },
  {
    // 99.90 × 18 / 118 = 15.2389…
    name: "0.333 kg of 300, taxes included",
    orderType: "takeout",
    ...single(one(300, [itbisIncluded], [84.66, 15.24, 99.9], { quantity: 0.333 }), { 4: 15.24 }),
  },
  {
    name: "one and a half",
    orderType: "dine_in",
    ...single(one(85, [exempt], [127.5, 0, 127.5], { quantity: 1.5 }), { 3: 0 }),
  },
  {
    // 0.025.
    name: "half a cent of price goes up",
    orderType: "takeout",
    ...single(one(0.2, [exempt], [0.03, 0, 0.03], { quantity: 0.125 }), { 3: 0 }),
  },
  {
    name: "2.675 goes up although its binary fraction is less",
    orderType: "takeout",
    ...single(one(1, [], [2.68, 0, 2.68], { quantity: 2.675 }), {}),
  },
  {
    name: "1.005 goes up although its binary fraction is less",
    orderType: "takeout",
    ...single(one(1, [exempt], [1.01, 0, 1.01], { quantity: 1.005 }), { 3: 0 }),
  },
  {
    name: "0.1 + 0.2 is 0.3",
    orderType: "takeout",
    ...single(one(10, [exempt], [3, 0, 3], { quantity: 0.1 + 0.2 }), { 3: 0 }),
  },
  {
    // 0.334 × 100.
    name: "a fourth decimal of the quantity is rounded away",
    orderType: "takeout",
    ...single(one(100, [], [33.4, 0, 33.4], { quantity: 0.3335 }), {}),
  },
  {
    // 0.251; rounding the unit price first would give 2 × 0.13 = 0.26.
    name: "a unit price of four decimals is not rounded by itself",
    orderType: "takeout",
    ...single(one(0.1255, [], [0.25, 0, 0.25], { quantity: 2 }), {}),
  },
  {
    name: "twice 12.505",
    orderType: "takeout",
    ...single(one(12.505, [], [25.01, 0, 25.01], { quantity: 2 }), {}),
  },
  {
    name: "a thousand of one cent",
    orderType: "takeout",
    ...single(one(0.01, [itbis], [10, 1.8, 11.8], { quantity: 1000 }), { 1: 1.8 }),
  },
]);

const modifiers = topic("modifiers", [
  {
    // 890; 160.20 and 89.
    name: "an extra of 195",
    orderType: "dine_in",
    ...single(one(695, onTop, [890, 249.2, 1139.2], { modifiers: [{ price: 195 }] }), { 1: 160.2, 2: 89 }),
  },
  {
    name: "an extra counts for each unit",
    orderType: "takeout",
    ...single(one(80, onTop, [200, 36, 236], { quantity: 2, modifiers: [{ price: 20 }] }), { 1: 36 }),
  },
  {
    name: "an extra without a price",
    orderType: "dine_in",
    ...single(one(1250, onTop, [1250, 350, 1600], { modifiers: [{ price: 0 }] }), { 1: 225, 2: 125 }),
  },
  {
    name: "the same extra twice, and another one",
    orderType: "takeout",
    ...single(one(80, [itbis], [120, 21.6, 141.6], { modifiers: [{ price: 15, quantity: 2 }, { price: 10 }] }), {
      1: 21.6,
    }),
  },
  {
    name: "an extra that lowers the price",
    orderType: "takeout",
    ...single(one(100, [exempt], [85, 0, 85], { modifiers: [{ price: -15 }] }), { 3: 0 }),
  },
  {
    name: "an extra with its taxes included",
    orderType: "dine_in",
    ...single(one(100, [itbisIncluded], [100, 18, 118], { modifiers: [{ price: 18 }] }), { 4: 18 }),
  },
  {
    name: "an extra on half a portion",
    orderType: "dine_in",
    ...single(one(450, [], [250, 0, 250], { quantity: 0.5, modifiers: [{ price: 50 }] }), {}),
  },
]);

const discounts = topic("discounts", [
  {
    name: "10 % off a line",
    orderType: "takeout",
    ...single(one(100, [itbis], [90, 16.2, 106.2], { discount: { percent: 10 } }), { 1: 16.2 }),
  },
  {
    name: "50 off a line of three",
    orderType: "takeout",
    ...single(one(100, [itbis], [250, 45, 295], { quantity: 3, discount: { amount: 50 } }), { 1: 45 }),
  },
  {
    name: "all of it",
    orderType: "dine_in",
    ...single(one(100, onTop, [0, 0, 0], { discount: { percent: 100 } }), { 1: 0, 2: 0 }),
  },
  {
    name: "an amount above the price takes the price",
    orderType: "takeout",
    ...single(one(100, [itbis], [0, 0, 0], { discount: { amount: 150 } }), { 1: 0 }),
  },
  {
    // 29.997, rounded to 30.00.
    name: "10 % off 33.33",
    orderType: "takeout",
    ...single(one(33.33, [itbis], [30, 5.4, 35.4], { discount: { percent: 10 } }), { 1: 5.4 }),
  },
  {
    // 66.67; 12.0006.
    name: "33.33 % off 100",
    orderType: "takeout",
    ...single(one(100, [itbis], [66.67, 12, 78.67], { discount: { percent: 33.33 } }), { 1: 12 }),
  },
  {
    // 0.175.
    name: "12.5 % off 20 cents",
    orderType: "takeout",
    ...single(one(0.2, [], [0.18, 0, 0.18], { discount: { percent: 12.5 } }), {}),
  },
  {
    // 94.40, including 14.40 of tax.
    name: "20 % off a price with its tax included",
    orderType: "takeout",
    ...single(one(118, [itbisIncluded], [80, 14.4, 94.4], { discount: { percent: 20 } }), { 4: 14.4 }),
  },
  {
    name: "25 % off a line with modifiers",
    orderType: "takeout",
    ...single(
      one(80, [itbis], [150, 27, 177], { quantity: 2, modifiers: [{ price: 20 }], discount: { percent: 25 } }),
      { 1: 27 },
    ),
  },
  {
    name: "off the whole check, after taxes",
    orderType: "dine_in",
    lines: [one(100, onTop, [100, 28, 128])],
    adjustments: [{ kind: "discount", amount: -12.8 }],
    expected: { amounts: [100, 28, 115.2], taxes: { 1: 18, 2: 10 } },
  },
  {
    name: "a discount, a tip and a service charge on the check",
    orderType: "takeout",
    lines: [one(100, [itbis], [100, 18, 118])],
    adjustments: [
      { kind: "discount", amount: -18 },
      { kind: "tip", amount: 10 },
      { kind: "service", amount: 5.5 },
    ],
    expected: { amounts: [100, 18, 115.5], taxes: { 1: 18 } },
  },
]);

const quarters = repeat(3, one(0.25, [itbis], [0.25, 0.05, 0.3]));
const plates = repeat(4, one(12.35, onTop, [12.35, 3.46, 15.81]));
const sweets = repeat(3, one(0.05, [itbisIncluded], [0.04, 0.01, 0.05]));
const weighed = repeat(3, one(99.99, [], [33.3, 0, 33.3], { quantity: 0.333 }));
const discounted = repeat(2, one(500, inside, [390.63, 70.31, 460.94]));
const crumbs = repeat(2, one(0.01, [], [0, 0, 0], { quantity: 0.333 }));
const eighths = repeat(2, one(1, [], [0.13, 0, 0.13], { quantity: 0.125 }));

const roundings = topic("rounding per line and per order", [
  {
    name: "per line: 0.045 three times is 0.15",
    orderType: "takeout",
    lines: quarters,
    expected: { amounts: [0.75, 0.15, 0.9], taxes: { 1: 0.15 } },
  },
  {
    // 0.135.
    name: "per order: 0.045 three times is 0.14",
    orderType: "takeout",
    rounding: "order",
    lines: quarters,
    expected: { amounts: [0.75, 0.14, 0.89], taxes: { 1: 0.14 }, rounding: -0.01 },
  },
  {
    name: "per line: four plates",
    orderType: "dine_in",
    lines: plates,
    expected: { amounts: [49.4, 13.84, 63.24], taxes: { 1: 8.88, 2: 4.96 } },
  },
  {
    // 8.892 and 4.94.
    name: "per order: four plates",
    orderType: "dine_in",
    rounding: "order",
    lines: plates,
    expected: { amounts: [49.4, 13.83, 63.23], taxes: { 1: 8.89, 2: 4.94 }, rounding: -0.01 },
  },
  {
    name: "per line, taxes included",
    orderType: "takeout",
    lines: sweets,
    expected: { amounts: [0.12, 0.03, 0.15], taxes: { 4: 0.03 } },
  },
  {
    // 0.15 × 18 / 118 = 0.0228…
    name: "per order, taxes included: the total is the same",
    orderType: "takeout",
    rounding: "order",
    lines: sweets,
    expected: { amounts: [0.13, 0.02, 0.15], taxes: { 4: 0.02 } },
  },
  {
    name: "per line: three times 0.333 kg",
    orderType: "takeout",
    lines: weighed,
    expected: { amounts: [99.9, 0, 99.9], taxes: {} },
  },
  {
    // 3 × 33.29667 = 99.89001.
    name: "per order: three times 0.333 kg",
    orderType: "takeout",
    rounding: "order",
    lines: weighed,
    expected: { amounts: [99.89, 0, 99.89], taxes: {}, rounding: -0.01 },
  },
  {
    name: "per line: an included tip taken out twice",
    orderType: "delivery",
    lines: discounted,
    expected: { amounts: [781.26, 140.62, 921.88], taxes: { 4: 140.62 } },
  },
  {
    // 2 × 460.9375 = 921.875; 2 × 70.3125 = 140.625.
    name: "per order: an included tip taken out twice",
    orderType: "delivery",
    rounding: "order",
    lines: discounted,
    expected: { amounts: [781.25, 140.63, 921.88], taxes: { 4: 140.63 } },
  },
  {
    name: "per line: less than half a cent twice is nothing",
    orderType: "takeout",
    lines: crumbs,
    expected: { amounts: [0, 0, 0], taxes: {} },
  },
  {
    // 0.00666.
    name: "per order: less than half a cent twice is a cent",
    orderType: "takeout",
    rounding: "order",
    lines: crumbs,
    expected: { amounts: [0.01, 0, 0.01], taxes: {}, rounding: 0.01 },
  },
  {
    name: "per line: 0.125 twice",
    orderType: "takeout",
    lines: eighths,
    expected: { amounts: [0.26, 0, 0.26], taxes: {} },
  },
  {
    name: "per order: 0.125 twice, with a tip",
    orderType: "takeout",
    rounding: "order",
    lines: eighths,
    adjustments: [{ kind: "tip", amount: 1 }],
    expected: { amounts: [0.25, 0, 1.25], taxes: {}, rounding: -0.01 },
  },
  {
    // 0.025 and 0.0045: the price is not rounded before it is taxed.
    name: "per order: the tax is that of the exact price",
    orderType: "takeout",
    rounding: "order",
    ...single(one(0.2, [itbis], [0.03, 0, 0.03], { quantity: 0.125 }), { 1: 0 }),
  },
  {
    name: "per order: one line is as per line",
    orderType: "takeout",
    rounding: "order",
    ...single(one(100, [itbis], [100, 18, 118]), { 1: 18 }),
  },
]);

const refunds = topic("refunds", [
  {
    name: "one given back",
    orderType: "takeout",
    ...single(one(100, [itbis], [-100, -18, -118], { quantity: -1 }), { 1: -18 }),
  },
  {
    name: "a negative price",
    orderType: "takeout",
    ...single(one(-118, [itbisIncluded], [-100, -18, -118]), { 4: -18 }),
  },
  {
    // -0.045.
    name: "half a cent goes away from zero",
    orderType: "takeout",
    ...single(one(-0.25, [itbis], [-0.25, -0.05, -0.3]), { 1: -0.05 }),
  },
  {
    name: "both taxes, as large as those of the sale",
    orderType: "dine_in",
    ...single(one(-12.35, onTop, [-12.35, -3.46, -15.81]), { 1: -2.22, 2: -1.24 }),
  },
  {
    name: "taxes included, as large as those of the sale",
    orderType: "takeout",
    ...single(one(-100, [itbisIncluded], [-84.75, -15.25, -100]), { 4: -15.25 }),
  },
  {
    name: "a discount that was given is not given back",
    orderType: "takeout",
    ...single(one(-100, [], [-90, 0, -90], { discount: { amount: 10 } }), {}),
  },
  {
    name: "a sale and its refund are nothing",
    orderType: "takeout",
    lines: [one(100, [itbis], [100, 18, 118]), one(-100, [itbis], [-100, -18, -118])],
    expected: { amounts: [0, 0, 0], taxes: { 1: 0 } },
  },
  {
    // -0.135.
    name: "rounded per order",
    orderType: "takeout",
    rounding: "order",
    lines: repeat(3, one(-0.25, [itbis], [-0.25, -0.05, -0.3])),
    expected: { amounts: [-0.75, -0.14, -0.89], taxes: { 1: -0.14 }, rounding: 0.01 },
  },
]);

const voids = topic("voided lines", [
  {
    name: "a voided line does not count",
    orderType: "takeout",
    lines: [one(100, [itbis], [100, 18, 118]), one(50, [itbis], [50, 9, 59], { voided: true })],
    expected: { amounts: [100, 18, 118], taxes: { 1: 18 } },
  },
  {
    name: "a voided line does not count per order either",
    orderType: "takeout",
    rounding: "order",
    lines: [one(100, [itbis], [100, 18, 118]), one(50, [itbis], [50, 9, 59], { voided: true })],
    expected: { amounts: [100, 18, 118], taxes: { 1: 18 } },
  },
  {
    name: "2 of 4",
    orderType: "takeout",
    ...single(one(100, [itbis], [200, 36, 236], { quantity: 4, voidedQuantity: 2 }), { 1: 36 }),
  },
  {
    name: "2 of 2",
    orderType: "takeout",
    ...single(one(100, [itbis], [0, 0, 0], { quantity: 2, voidedQuantity: 2 }), { 1: 0 }),
  },
]);

const bounds = topic("nothing, and very much", [
  { name: "a price of 0", orderType: "dine_in", ...single(one(0, onTop, [0, 0, 0]), { 1: 0, 2: 0 }) },
  {
    name: "a quantity of 0",
    orderType: "takeout",
    ...single(one(100, [itbis], [0, 0, 0], { quantity: 0 }), { 1: 0 }),
  },
  { name: "no lines", orderType: "takeout", lines: [], expected: { amounts: [0, 0, 0], taxes: {} } },
  {
    name: "ten thousand of 9,999.99",
    orderType: "takeout",
    ...single(one(9999.99, [itbis], [99_999_900, 17_999_982, 117_999_882], { quantity: 10_000 }), { 1: 17_999_982 }),
  },
  {
    name: "a hundred thousand of 8,474.57",
    orderType: "takeout",
    ...single(one(8474.57, [itbis], [847_457_000, 152_542_260, 999_999_260], { quantity: 100_000 }), {
      1: 152_542_260,
    }),
  },
  {
    name: "the largest amount",
    orderType: "takeout",
    ...single(one(1_000_000_000, [], [1_000_000_000, 0, 1_000_000_000]), {}),
  },
  {
    // 999,999,999.99 × 18 / 118 = 152,542,372.8798…
    name: "a cent less, taxes included",
    orderType: "takeout",
    ...single(one(999_999_999.99, [itbisIncluded], [847_457_627.11, 152_542_372.88, 999_999_999.99]), {
      4: 152_542_372.88,
    }),
  },
  {
    name: "99,999.999 of 100",
    orderType: "takeout",
    ...single(one(100, [], [9_999_999.9, 0, 9_999_999.9], { quantity: 99_999.999 }), {}),
  },
  {
    // 123,456.78901.
    name: "a thousandth of 123,456,789.01",
    orderType: "takeout",
    ...single(one(123_456_789.01, [], [123_456.79, 0, 123_456.79], { quantity: 0.001 }), {}),
  },
]);

export const orderVectors: readonly OrderVector[] = [
  ...taxesOnTop,
  ...taxesIncluded,
  ...mixedTaxes,
  ...fractions,
  ...modifiers,
  ...discounts,
  ...roundings,
  ...refunds,
  ...voids,
  ...bounds,
];

/** `parts` is the number of equal parts, or the weights of the parts. */
export const splitVectors: readonly { amount: number; parts: number | number[]; expected: number[] }[] = [
  { amount: 100, parts: 3, expected: [33.34, 33.33, 33.33] },
  { amount: 100, parts: 1, expected: [100] },
  { amount: 10, parts: 4, expected: [2.5, 2.5, 2.5, 2.5] },
  { amount: 0.01, parts: 3, expected: [0.01, 0, 0] },
  { amount: 0.05, parts: 2, expected: [0.03, 0.02] },
  { amount: 0, parts: 4, expected: [0, 0, 0, 0] },
  { amount: -100, parts: 3, expected: [-33.34, -33.33, -33.33] },
  // 162.7428…: 7 × 162.74 leaves two cents.
  { amount: 1139.2, parts: 7, expected: [162.75, 162.75, 162.74, 162.74, 162.74, 162.74, 162.74] },
  { amount: 1_000_000_000, parts: 3, expected: [333_333_333.34, 333_333_333.33, 333_333_333.33] },
  // 33.333… and 66.666…: the second part lost more by truncation, so it gets the cent.
  { amount: 100, parts: [1, 2], expected: [33.33, 66.67] },
  // 1.5, 0.75 and 0.75 cents: the first part lost least by truncation.
  { amount: 0.03, parts: [50, 25, 25], expected: [0.01, 0.01, 0.01] },
  { amount: 5, parts: [0, 1], expected: [0, 5] },
  { amount: 100, parts: [0.333, 0.667], expected: [33.3, 66.7] },
  { amount: 200, parts: [118, 59, 59], expected: [100, 50, 50] },
  { amount: -0.03, parts: [2, 1, 1], expected: [-0.01, -0.01, -0.01] },
];

export const lineSplitVectors: readonly { line: LineAmounts; quantities: number[]; expected: LinePart[] }[] = [
  {
    // The tax is 5.0833… each.
    line: { total: 100, taxAmount: 15.25 },
    quantities: [1, 1, 1],
    expected: [
      { quantity: 1, total: 33.34, taxAmount: 5.09 },
      { quantity: 1, total: 33.33, taxAmount: 5.08 },
      { quantity: 1, total: 33.33, taxAmount: 5.08 },
    ],
  },
  {
    line: { total: 200, taxAmount: 0, discount: { amount: 100 } },
    quantities: [1, 1, 1],
    expected: [
      { quantity: 1, total: 66.67, taxAmount: 0, discount: { amount: 33.34 } },
      { quantity: 1, total: 66.67, taxAmount: 0, discount: { amount: 33.33 } },
      { quantity: 1, total: 66.66, taxAmount: 0, discount: { amount: 33.33 } },
    ],
  },
  {
    line: { total: 128, taxAmount: 28 },
    quantities: [0.5, 0.5, 1],
    expected: [
      { quantity: 0.5, total: 32, taxAmount: 7 },
      { quantity: 0.5, total: 32, taxAmount: 7 },
      { quantity: 1, total: 64, taxAmount: 14 },
    ],
  },
  {
    line: { total: 100, taxAmount: 0 },
    quantities: [0.333, 0.333, 0.334],
    expected: [
      { quantity: 0.333, total: 33.3, taxAmount: 0 },
      { quantity: 0.333, total: 33.3, taxAmount: 0 },
      { quantity: 0.334, total: 33.4, taxAmount: 0 },
    ],
  },
  {
    // The tax is 0.3825 and 1.1475.
    line: { total: 10, taxAmount: 1.53 },
    quantities: [1, 3],
    expected: [
      { quantity: 1, total: 2.5, taxAmount: 0.38 },
      { quantity: 3, total: 7.5, taxAmount: 1.15 },
    ],
  },
  {
    line: { total: -118, taxAmount: -18 },
    quantities: [1, 2],
    expected: [
      { quantity: 1, total: -39.33, taxAmount: -6 },
      { quantity: 2, total: -78.67, taxAmount: -12 },
    ],
  },
  { line: { total: 118 }, quantities: [2], expected: [{ quantity: 2, total: 118 }] },
];

/** Builds the order that a terminal stores for a vector, with the expected amounts, never computed ones. */
export function orderOfVector({ orderType, lines, adjustments = [], expected }: OrderVector) {
  const [subtotal, tax, total] = expected.amounts;
  const { rounding = 0 } = expected;
  return {
    orderType,
    lines: lines.map(({ expected: [, lineTax, lineTotal], taxes, ...line }, index) => ({
      ...line,
      id: `line-${index}`,
      productId: 101 + index,
      taxIds: taxes.filter((each) => each.orderTypes.includes(orderType)).map(({ id }) => id),
      taxAmount: lineTax,
      total: lineTotal,
    })),
    adjustments: rounding === 0 ? adjustments : [...adjustments, { kind: "rounding" as const, amount: rounding }],
    totals: { subtotal, tax, total },
  };
}
