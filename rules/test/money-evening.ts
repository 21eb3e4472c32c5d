import type { Adjustment, Snapshot, StoredLine } from "@comanda/protocol";
import fc from "fast-check";
import { amountDue } from "../src/money/due/amount-due.ts";
import { proportionOf, subtract, sum } from "../src/money/amounts.ts";
import { asGranted } from "../src/money/pricing/limit-discounts.ts";
import { priceLine } from "../src/money/pricing/price-line.ts";
import { splitAmount, splitLine } from "../src/money/split.ts";
import { chargedQuantity } from "../src/payments/charged-lines.ts";
import { pick } from "./pick.ts";
import { vectorTaxes } from "./pricing-vectors.ts";
import { type Actor, createRestaurant, type RestaurantOptions } from "./restaurant.ts";

export const taxes = Object.entries(vectorTaxes).map(([name, tax]) => ({
  name,
  ...tax,
  orderTypes: [...tax.orderTypes],
}));
const products = [
  { id: 1, price: 100, taxIds: [1, 2] },
  { id: 2, price: 59.99, taxIds: [4, 5] },
  { id: 3, price: 33.3333, taxIds: [6, 2] },
  { id: 4, price: 0.05, taxIds: [] },
].map((product) => ({ ...product, name: `P${product.id}`, categoryId: 1, available: true }));
const menu = { products, taxes, rounding: "line" } as unknown as NonNullable<RestaurantOptions["menu"]>;

const waiter: Actor = { terminalId: "tablet" };
export const cashier: Actor = { terminalId: "till", mayVoid: true };

const kinds = [
  "open",
  "open",
  "add",
  "add",
  "quantity",
  "drop",
  "void",
  "comp",
  "unvoid",
  "extra",
  "lineDiscount",
  "checkDiscount",
  "checkDiscount",
  "noDiscount",
  "split",
  "merge",
  "send",
  "patchPrice",
  "patchQuantity",
  "patchDrop",
  "patchAdd",
  "tender",
  "returnTender",
  "pay",
  "refund",
] as const;
export const step = fc.record({
  kind: fc.constantFrom(...kinds),
  by: fc.constantFrom(waiter, cashier),
  a: fc.nat(99),
  b: fc.nat(99),
  /** Thousandths of a quantity, cents, or hundredths of a percent. */
  n: fc.integer({ min: 1, max: 9_999 }),
});
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Line = StoredLine & { discount?: { percent: number } | { amount: number } };

/** Prices a line as a terminal does, which knows the menu. */
function priced(line: Line, orderType: Snapshot["orderType"]): Line {
  const { taxIds = [] } = products.find(({ id }) => String(id) === String(line.productId)) ?? {};
  const toPrice = {
    unitPrice: line.unitPrice ?? 0,
    quantity: line.quantity,
    voidedQuantity: line.voidedQuantity,
    modifiers: (line["modifiers"] ?? []) as { price: number }[],
    ...(line.discount !== undefined && { discount: line.discount }),
    taxes: taxes.filter(({ id }) => taxIds.includes(id)),
  };
  const { total, tax, taxes: charged } = priceLine(toPrice, { orderType, rounding: "line" });
  return { ...line, total, taxAmount: tax, taxIds: charged.map(({ id }) => String(id)) };
}

function without(line: Line, fields: readonly string[]): Line {
  return Object.fromEntries(Object.entries(line).filter(([field]) => !fields.includes(field))) as Line;
}

type Desk = ReturnType<typeof createDesk>;

/** Changes checks as a terminal, a till and an integration do; names are numbered. */
function createDesk() {
  const restaurant = createRestaurant({ menu });
  let names = 0;
  const name = (): string => `n${(names += 1)}`;
  const checkOf = (posReference: string) => restaurant.state.order(posReference)?.snapshot;
  const linesOf = (posReference: string) => (checkOf(posReference)?.lines ?? []) as Line[];

  function write(contents: Record<string, { lines: Line[]; adjustments?: Adjustment[] | undefined }>, by: Actor) {
    const { orderType = "dine_in" } = checkOf(Object.keys(contents)[0] ?? "") ?? {};
    const orders = Object.entries(contents).map(([posReference, { lines, adjustments }]) => ({
      posReference,
      baseVersion: restaurant.versionOf(posReference),
      snapshot: { orderType, lines, adjustments: adjustments ?? checkOf(posReference)?.adjustments ?? [] },
    }));
    return restaurant.change({ type: "ORDER_BATCH", orders }, by);
  }

  function edit(posReference: string, at: number, by: Actor, change: (line: Line) => Line | null) {
    const lines = linesOf(posReference);
    const chosen = pick(lines, at);
    if (chosen === undefined) return null;
    const { orderType = "dine_in" } = checkOf(posReference) ?? {};
    const next = lines.flatMap((line) => {
      if (line !== chosen) return line;
      const changed = change({ ...line });
      return changed === null ? [] : priced(changed, orderType);
    });
    return write({ [posReference]: { lines: next } }, by);
  }

  function newLine({ b, n }: Step, orderType: Snapshot["orderType"]): Line {
    const product = products[b % products.length]!;
    const quantity = b % 3 === 0 ? n / 1_000 : 1 + (n % 4);
    return priced({ id: name(), productId: product.id, quantity, unitPrice: product.price }, orderType);
  }

  /** Splits a part off a line, and shares the discounts of the check in proportion, as terminals do. */
  function split(posReference: string, { b, n, by }: Step) {
    const lines = linesOf(posReference);
    const line = pick(lines, b);
    const counted = line === undefined ? 0 : chargedQuantity(line);
    const quantity = n % 2 === 0 ? subtract(counted, proportionOf(counted, 1, 3)) : 1;
    if (line === undefined || quantity <= 0 || quantity >= counted) return null;
    const [rest, part] = splitLine(line, [subtract(counted, quantity), quantity]);
    const { voidedQuantity = 0, ...plain } = line;
    const stays = { ...line, ...rest, quantity: sum([subtract(counted, quantity), voidedQuantity]) } as Line;
    const leaves = { ...plain, ...part, id: name(), splitOf: line.id, splitFrom: posReference } as Line;
    const parts = [lines.map((each) => (each === line ? stays : each)), [leaves]];
    const weights = parts.map((each) => sum(each.map((one) => (one.voided === true ? 0 : (one.total ?? 0)))));
    if (sum(weights) === 0) return null;
    const granted = (checkOf(posReference)?.adjustments ?? []).map(asGranted);
    const shared = granted.map(({ amount }) => splitAmount(amount, weights));
    const [own, other] = parts.map((each, at) => ({
      lines: each,
      adjustments: granted.map((adjustment, which) => ({ ...adjustment, amount: shared[which]?.[at] ?? 0 })),
    }));
    return write({ [posReference]: own!, [name()]: other! }, by);
  }

  function patch(posReference: string, { b, n }: Step, change: (line: Line) => Line | null) {
    const lines = linesOf(posReference);
    const chosen = pick(lines, b + n);
    return restaurant.patch(posReference, {
      lines: lines.flatMap((line) => (line === chosen ? (change(line) ?? []) : line)),
    });
  }

  function pay(posReference: string, amount: number) {
    const tender = { tenderId: name(), methodId: 1, amount };
    return restaurant.change({ type: "ORDER_TENDER", posReference, ...tender }, cashier);
  }

  return { restaurant, name, linesOf, write, edit, newLine, split, patch, pay };
}

/** Returns a restaurant, and a function that changes one of its checks at random. */
export function createEvening() {
  const desk = createDesk();
  return { restaurant: desk.restaurant, act: (each: Step) => act(desk, each) };
}

/** Returns why the change was rejected, null if it was not, or if it does not apply. */
function act({ restaurant, name, linesOf, write, edit, newLine, split, patch, pay }: Desk, each: Step) {
  const { kind, by, a, b, n } = each;
  const open = restaurant.orders().filter(({ snapshot }) => snapshot.status !== "paid");
  const [one, other] = [pick(open, a), pick(open, b)];
  const orderType: Snapshot["orderType"] = a % 2 === 0 ? "dine_in" : "takeout";
  if (kind === "open") {
    const snapshot = { orderType, lines: [newLine(each, orderType)] };
    return restaurant.change({ type: "ORDER_UPSERT", posReference: name(), baseVersion: 0, snapshot }, by);
  }
  if (one === undefined) return null;
  const { posReference, snapshot } = one;
  const { lines, adjustments = [] } = snapshot as Snapshot & { lines: Line[] };
  switch (kind) {
    case "add":
      return write({ [posReference]: { lines: [...lines, newLine(each, snapshot.orderType)] } }, by);
    case "quantity":
      return edit(posReference, b, by, (line) => ({
        ...line,
        quantity: Math.max(n / 1_000, line.voidedQuantity ?? 0),
      }));
    case "drop":
      return edit(posReference, b, by, () => null);
    case "void":
    case "comp":
      return edit(posReference, b, by, (line) => ({
        ...without(line, ["comp"]),
        ...(kind === "comp" && { comp: true as const }),
        ...(n % 2 === 0 ? { voided: true } : { voidedQuantity: Math.min(line.quantity, n / 1_000) }),
      }));
    case "unvoid":
      return edit(posReference, b, by, (line) => without(line, ["voided", "voidedQuantity", "comp"]));
    case "extra":
      return edit(posReference, b, by, (line) => ({ ...line, modifiers: [{ id: 8, price: n / 100 }] }));
    case "lineDiscount": {
      const discount = n % 2 === 0 ? { percent: n / 100 } : { amount: n / 100 };
      return edit(posReference, b, by, (line) => ({ ...line, discount }));
    }
    case "checkDiscount": {
      const amount = n % 2 === 0 ? -n / 100 : -proportionOf(snapshot.totals.total, n, 9_999);
      if (amount === 0) return null;
      return write({ [posReference]: { lines, adjustments: [...adjustments, { kind: "discount", amount }] } }, by);
    }
    case "noDiscount":
      return write({ [posReference]: { lines, adjustments: [] } }, by);
    case "split":
      return split(posReference, each);
    case "merge": {
      if (other === undefined || other === one || other.snapshot.orderType !== snapshot.orderType) return null;
      const joined = [...linesOf(other.posReference), ...lines];
      const both = [...(other.snapshot.adjustments ?? []), ...adjustments];
      return write(
        {
          [other.posReference]: { lines: joined, adjustments: both },
          [posReference]: { lines: [], adjustments: [] },
        },
        by,
      );
    }
    case "send":
      return restaurant.send(posReference, { by });
    case "patchPrice":
      return patch(posReference, each, (line) => ({ ...line, total: n / 100, taxAmount: proportionOf(n, 1, 850) }));
    case "patchQuantity":
      return patch(posReference, each, (line) => ({ ...line, quantity: n / 1_000, total: n, taxAmount: 0 }));
    case "patchDrop":
      return lines.length > 1 ? patch(posReference, each, () => null) : null;
    case "patchAdd":
      return restaurant.patch(posReference, { lines: [...lines, newLine(each, snapshot.orderType)] });
    case "tender":
      return pay(posReference, Math.min(n / 100, amountDue(snapshot)));
    case "returnTender": {
      const tender = pick(snapshot.tenders ?? [], b);
      if (tender === undefined) return null;
      const { tenderId } = tender;
      return restaurant.change({ type: "ORDER_TENDER_VOID", posReference, tenderId, reason: "error" }, cashier);
    }
    case "pay":
      return pay(posReference, amountDue(snapshot));
    case "refund":
      // Only computed: a refund changes no check.
      return null;
  }
}
