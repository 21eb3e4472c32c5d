import type { BackOfficeProduct, Snapshot } from "@comanda/protocol";
import { discountIn } from "@comanda/rules";
import fc from "fast-check";
import { expect, it } from "vitest";
import { changeOrderType } from "./change-order-type.ts";
import { discountLine } from "./discounts.ts";
import { addLine, changeLine, mergeChecks, moveLines, splitLine, voidLine, withQuantity } from "./edit-content.ts";
import { lineForProduct } from "./line-for-product.ts";
import { linesOf, type OrderContent, type OrderLine } from "./order-content.ts";
import { repriceLine } from "./reprice-line.ts";
import { roundOrder } from "./round-order.ts";

const orderTypes = ["dine_in", "takeout", "delivery"] as const;
const taxes = [
  { id: 1, name: "ITBIS", rate: 18, included: false, orderTypes: [...orderTypes] },
  { id: 2, name: "Legal tip", rate: 10, included: false, orderTypes: ["dine_in" as const] },
  { id: 3, name: "ITBIS included", rate: 18, included: true, orderTypes: [...orderTypes] },
];
const modifiers = [0.05, 3.33, 10, 99.99].map((price, id) => ({ id, name: `M${id}`, price }));
const products = [
  { price: 100, taxIds: [1, 2] },
  { price: 59.99, taxIds: [3] },
  { price: 0.33, taxIds: [1] },
  { price: 14.2857, taxIds: [3, 2] },
].map((each, id): BackOfficeProduct => ({ ...each, id, name: `P${id}`, categoryId: 1, available: true, modifiers }));

const kinds = ["add", "size", "extras", "type", "send", "split", "move", "void", "discount", "merge", "menu"] as const;
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  a: fc.nat(99),
  b: fc.nat(99),
  n: fc.integer({ min: 1, max: 9_999 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Checks = Record<string, OrderContent>;

function openEvening(rounding: "line" | "order") {
  let menu = { products, taxes, rounding };
  let names = 0;
  const newId = (): string => `n${(names += 1)}`;
  const checks: Checks = { A: { orderType: "dine_in", lines: [] }, B: { orderType: "takeout", lines: [] } };

  /** What a waiter changes; what the kitchen, a manager and the back-office change is in `checks` and `menu` at once. */
  function edit({ kind, a, b, n }: Step): Checks {
    const [ref, other] = a % 2 === 0 ? (["A", "B"] as const) : (["B", "A"] as const);
    const [content, into] = [checks[ref]!, checks[other]!];
    const { orderType = "dine_in" } = content;
    const lines = linesOf(content);
    const line = lines[b % lines.length];
    const extras = modifiers.filter((_, index) => ((n >> index) & 1) === 1);
    const from = { posReference: ref, content };
    const change = (lineId: string, to: (line: OrderLine) => OrderLine) => ({ [ref]: changeLine(content, lineId, to) });
    const both = (moved: { from: OrderContent; into: OrderContent }) => ({ [ref]: moved.from, [other]: moved.into });
    if (kind === "add") {
      const [lineId, quantity] = [newId(), b % 3 === 0 ? n / 1_000 : 1 + (n % 4)];
      const product = menu.products[b % products.length]!;
      const added = lineForProduct(product, menu, {
        lineId,
        orderType,
        quantity,
        modifiers: b % 2 === 0 ? extras : [],
      });
      return { [ref]: addLine(content, { ...added, kitchenLineId: lineId }) };
    }
    if (kind === "type") {
      return { [ref]: changeOrderType(content, { orderType: orderTypes[n % 3]!, tableId: null }, menu) };
    }
    if (kind === "merge") return both(mergeChecks(from, into, newId, menu));
    if (kind === "send") {
      const sentAt = { kitchenSentAt: "2026-11-25T20:00:00Z" };
      checks[ref] = { ...content, lines: lines.map((each) => ({ ...each, ...sentAt })) };
    }
    if (kind === "menu") {
      const dearer = { ...products[b % products.length]!, price: n / 100 };
      menu = { ...menu, products: menu.products.map((each) => (each.id === dearer.id ? dearer : each)) };
    }
    if (line === undefined) return {};
    const isSent = line["kitchenSentAt"] !== undefined;
    const { quantity: whole, voidedQuantity: voided = 0 } = line;
    const quantity = n % 2 === 0 ? n / 1_000 : 1 + (n % 6);
    if (kind === "size" && quantity >= (isSent ? whole : voided)) {
      return change(line.id, (each) => withQuantity(each, quantity, { content, menu }));
    }
    if (kind === "extras") {
      const own = isSent ? ((line["modifiers"] ?? []) as typeof modifiers) : [];
      const chosen = [...own, ...extras.filter(({ id }) => !own.some((each) => each.id === id))];
      return change(line.id, (each) => repriceLine({ ...each, modifiers: chosen }, orderType, menu));
    }
    if (kind === "split" && quantity < whole) return { [ref]: splitLine(content, line.id, quantity, newId()) };
    if (kind === "move") return both(moveLines(from, into, [{ lineId: line.id, quantity }], newId, menu));
    if (kind === "void") return { [ref]: voidLine(content, line.id, { quantity: Math.min(whole, quantity) }) };
    if (kind === "discount") {
      const discount = n % 4 === 0 ? { percent: n % 100 } : { amount: Math.floor(n / 5) / 100 };
      checks[ref] = discountLine(content, line.id, discount, menu);
    }
    return {};
  }

  return function act(each: Step) {
    const edited = Object.entries(edit(each)).map(([posReference, content]) => {
      return { posReference, snapshot: roundOrder(content, menu), before: checks[posReference] as Snapshot };
    });
    const found = discountIn(edited, menu);
    for (const { posReference, snapshot } of edited) checks[posReference] = snapshot;
    return found;
  };
}

it.each(["line", "order"] as const)(
  "no edit that a terminal prices counts as a discount of the waiter, over 1000 random evenings (by %s) [PRICE-70]",
  (rounding) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: "max" }), (steps) => {
        const act = openEvening(rounding);
        for (const each of steps) expect(act(each)).toBeNull();
      }),
      { numRuns: 1_000, seed: 20_261_201 },
    );
  },
);
