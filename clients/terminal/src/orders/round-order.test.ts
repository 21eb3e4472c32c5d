import type { OrderType } from "@comanda/protocol";
import { priceOrder } from "@comanda/rules";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { storedOrder } from "../../test/builders.ts";
import { localStateOn } from "../../test/local-state.ts";
import { discountCheck } from "./discounts.ts";
import { addLine } from "./edit-content.ts";
import { changeQuantity, removeLine } from "./edit-draft.ts";
import { lineForProduct } from "./line-for-product.ts";
import { mergeContent } from "./merge-content.ts";
import { totalsOfContent } from "./merge-totals.ts";
import { createOrderCommands } from "../commands/order-commands.ts";
import type { OrderContent } from "./order-content.ts";
import { lineToPrice, type PricedMenu } from "./reprice-line.ts";
import { roundOrder, roundingsOf } from "./round-order.ts";

const products = [
  { id: 101, name: "Pescado con coco", price: 890, categoryId: 1, taxIds: [1, 2] },
  { id: 102, name: "Cerveza", price: 10.05, categoryId: 2, taxIds: [1] },
  { id: 103, name: "Café", price: 33.33, categoryId: 2, taxIds: [1, 2] },
];
const menu: PricedMenu & { products: typeof products } = {
  products,
  rounding: "order",
  taxes: [
    { id: 1, name: "ITBIS", rate: 18, included: false, orderTypes: ["dine_in", "takeout"] },
    { id: 2, name: "Propina legal", rate: 10, included: false, orderTypes: ["dine_in"] },
  ],
};

function lineOf(lineId: string, productId: number, orderType: OrderType = "dine_in", quantity = 1) {
  const product = products.find(({ id }) => id === productId);
  if (product === undefined) throw new Error(`no product ${productId}`);
  return lineForProduct(product, menu, { lineId, orderType, quantity });
}

/** A check with beers, each on its own line. */
function beers(count: number, prefix = "beer"): OrderContent {
  const empty: OrderContent = { orderType: "dine_in", tableId: 5, lines: [] };
  return Array.from({ length: count }, (_, index) => lineOf(`${prefix} ${index}`, 102)).reduce(addLine, empty);
}

describe("the rounding of a whole order", () => {
  it("whole-order rounding changes no check that is rounded by line, or whose menu is unknown [TOUCH-15]", () => {
    for (const other of [null, { ...menu, rounding: "line" as const }]) {
      const content = beers(10);
      expect(roundOrder(content, other)).toBe(content);
    }
  });

  it("whole-order rounding is the difference that the lines lack, once, and disappears with them [TOUCH-15]", () => {
    // 10.05 plus 18 % is 11.859. Three lines of 11.86 equal their exact sum, ten are a cent more.
    expect(roundOrder(beers(3), menu)).toMatchObject({ totals: { total: 35.58 } });
    const content = roundOrder(beers(10), menu);
    expect(content).toMatchObject({ adjustments: [{ kind: "rounding", amount: -0.01 }], totals: { total: 118.59 } });
    expect(roundOrder(content, menu)).toEqual(content);
    const emptied = roundOrder({ ...content, lines: [], totals: { subtotal: 0, tax: 0, total: -0.01 } }, menu);
    expect([emptied.adjustments, emptied.totals?.total]).toEqual([[], 0]);
  });

  it("whole-order rounding keeps the other adjustments, and ignores void lines [TOUCH-15]", () => {
    const tip = { kind: "tip" as const, amount: 5 };
    const ten = beers(10);
    const lines = ten.lines?.map((line, index) => (index > 0 ? { ...line, voided: true } : line)) ?? [];
    const content = { ...ten, lines, adjustments: [tip] };
    const rounded = roundOrder({ ...content, totals: totalsOfContent(content) }, menu);
    expect([rounded.adjustments, rounded.totals?.total]).toEqual([[tip], 16.86]);
  });

  it("lines keep their price when a tax has changed since [PRICE-24]", () => {
    const content = addLine(beers(3), lineOf("fish", 101));
    const dearer = { ...menu, taxes: menu.taxes.map((tax) => ({ ...tax, rate: tax.rate + 2 })) };
    expect(roundOrder(content, dearer)).toBe(content);
  });

  it("a changed quantity is priced as a new line, at the line's own unit price [TOUCH-15]", () => {
    const dearer = { ...menu, products: products.map((product) => ({ ...product, price: 500 })) };
    expect(changeQuantity(beers(1), "beer 0", 10, dearer)).toMatchObject({
      lines: [{ quantity: 10, unitPrice: 10.05, total: 118.59 }],
      totals: { total: 118.59 },
    });
  });
});

describe("two writers of an order that is rounded as a whole", () => {
  it("two writers of an order that is rounded as a whole do not collide over its rounding [CLIENT-142]", () => {
    const base = roundOrder(beers(10), menu);
    const mine = roundOrder(beers(16, "mine").lines?.reduce(addLine, base) ?? base, menu);
    const hub = roundOrder(beers(26, "theirs").lines?.reduce(addLine, base) ?? base, menu);
    expect([base, mine, hub].map((each) => roundingsOf(each)[0]?.amount)).toEqual([-0.01, -0.03, -0.04]);
    const { content, collisions } = mergeContent(base, mine, hub);
    expect(collisions).toEqual([]);
    // 52 times 11.859.
    expect(roundOrder(content, menu).totals).toMatchObject({ total: 616.67 });
    expect(totalsOfContent(content).total).toBeCloseTo(content.totals?.total ?? 0, 2);
  });
});

/** Commands on orders of this device, with a hub that accepts every change at once. */
function service() {
  const hub = new Map<string, OrderContent>();
  let ids = 0;
  const shown = () =>
    localStateOn({ orders: [...hub].map(([posReference, each]) => storedOrder(posReference, 1, each)) }).local;
  const commands = createOrderCommands({
    orders: { get: (posReference) => shown().get(posReference), all: () => shown().all() },
    uuid: () => `line ${(ids += 1)}`,
    menu: () => menu,
    ask(intent) {
      const changes = intent.type === "ORDER_BATCH" ? intent.orders : intent.type === "ORDER_UPSERT" ? [intent] : [];
      for (const { posReference, next } of changes) hub.set(posReference, next);
      return { id: "", stored: Promise.resolve(), outcome: new Promise(() => {}) };
    },
  });
  return { hub, commands };
}

const references = ["A", "B", "C"] as const;
const anyAct = fc.record({
  act: fc.constantFrom("add", "quantity", "remove", "void", "move", "split", "merge", "discount", "table", "type"),
  on: fc.constantFrom(...references),
  other: fc.constantFrom(...references),
  product: fc.constantFrom(101, 102, 103),
  which: fc.nat(20),
  quantity: fc.constantFrom(1, 2, 3, 0.5, 1.25),
});

describe("whatever is done to checks", () => {
  it("any change leaves totals that match lines and adjustments, rounded once from the exact sum [CLIENT-141]", () => {
    fc.assert(
      fc.property(fc.array(anyAct, { minLength: 1, maxLength: 25 }), (acts) => {
        const { hub, commands } = service();
        for (const posReference of references) {
          const orderType = posReference === "C" ? ("takeout" as const) : ("dine_in" as const);
          commands.openOrder({ posReference, orderType, tableId: orderType === "takeout" ? null : 5, lines: [] });
        }
        for (const { act, on, other, product, which, quantity } of acts) {
          const content = hub.get(on) ?? {};
          const { orderType = "dine_in", lines = [] } = content;
          const line = lines[which % Math.max(1, lines.length)];
          const part = line === undefined ? 0 : Math.min(quantity, line.quantity);
          if (act === "add") {
            const added = lineOf(`${on} ${which} ${lines.length}`, product, orderType, quantity);
            commands.editOrder(on, (each) => (lines.some(({ id }) => id === added.id) ? each : addLine(each, added)));
          } else if (act === "table") commands.moveToTable(on, 1 + (which % 9));
          else if (act === "merge" && on !== other) commands.mergeOrders([on], other);
          else if (act === "discount")
            commands.editOrder(on, (each) => discountCheck(each, { percent: 10 }, "cortesía"));
          else if (line === undefined) continue;
          else if (act === "quantity") {
            // A quantity cannot be less than the voided quantity.
            const least = Math.max(quantity, line.voidedQuantity ?? 0);
            commands.editOrder(on, (each) => changeQuantity(each, line.id, least, menu));
          } else if (act === "remove") commands.editOrder(on, (each) => removeLine(each, line.id));
          else if (act === "void") commands.voidLine(on, line.id, { quantity: part });
          else if (act === "split") commands.splitLine(on, line.id, part);
          else if (act === "move" && on !== other) commands.moveLines(on, other, [{ lineId: line.id, quantity: part }]);
        }
        for (const content of hub.values()) {
          expect(content.totals?.total ?? 0).toBeCloseTo(totalsOfContent(content).total, 2);
          expect(roundingsOf(content).length).toBeLessThan(2);
          expect(roundOrder(content, menu)).toEqual(content);
        }
      }),
    );
  });
});

it("a line that moves between a table and takeout is repriced [CLIENT-143]", () => {
  const { hub, commands } = service();
  const lines = [lineOf("fish", 101, "dine_in", 2), lineOf("beer", 102)];
  commands.openOrder({
    posReference: "A",
    ...lines.reduce<OrderContent>(addLine, { orderType: "dine_in", tableId: 5 }),
  });
  commands.openOrder({ posReference: "B", orderType: "takeout", tableId: null, lines: [] });
  commands.moveLines("A", "B", [{ lineId: "fish", quantity: 1 }]);
  // 890 plus 18 %, without the legal tip of 10 %.
  expect(hub.get("B")).toMatchObject({ lines: [{ total: 1050.2, taxIds: ["1"] }], totals: { total: 1050.2 } });
  expect(hub.get("A")).toMatchObject({ lines: [{ id: "fish", total: 1139.2 }, {}] });
  commands.mergeOrders(["B"], "A");
  expect(hub.get("A")?.totals).toMatchObject({ total: 2 * 1139.2 + 11.86 });
  commands.openOrder({
    posReference: "C",
    orderType: "takeout",
    tableId: null,
    lines: [lineOf("fish", 101, "takeout")],
  });
  commands.moveToTable("C", 7);
  expect(hub.get("C")).toMatchObject({ orderType: "dine_in", tableId: 7, totals: { total: 1139.2 } });
});

it("exact prices are rounded as in the pricing module [CLIENT-141]", () => {
  const content = roundOrder(beers(10), menu);
  const exact = content.lines?.flatMap((line) => lineToPrice(line, menu) ?? []) ?? [];
  expect(content.totals?.total).toBe(priceOrder(exact, { orderType: "dine_in", rounding: "order" }).total);
});
