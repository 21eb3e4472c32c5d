import type {
  Adjustment,
  BackOfficeProduct,
  BackOfficeTax,
  MenuCheck,
  OrderType,
  Rounding,
  Snapshot,
  StoredLine,
  TerminalLine,
  TerminalSnapshot,
} from "@comanda/protocol";
import { voidedQuantityOf } from "../../kitchen/line-quantities.ts";
import { chargedQuantity } from "../../payments/charged-lines.ts";
import { shareOf, toUnits } from "../amounts.ts";
import { roundTo, toNumber } from "../exact.ts";
import { extrasOf, fullPrice } from "./extras-of.ts";
import { lineTotal } from "./line-total.ts";
import { priceLine } from "./price-line.ts";

/**
 * What only a cashier or manager may give, and what a manager is shown: the only place that knows what a discount is, for
 * the hub and for terminals. It needs no schema library and nothing of Node.
 */

/** What rounding for cash may take off without being a discount. */
const MOST_ROUNDING = 5;
/** The parts of a line add up to it; each alone may be this much off. */
const ROUNDED = 0.02;

/** What lines are compared with: parts of the back-office's configuration. */
export interface PriceMenu {
  products: readonly Pick<BackOfficeProduct, "id" | "price" | "taxIds" | "modifiers">[];
  taxes: readonly BackOfficeTax[];
  rounding?: Rounding | undefined;
}

/** One of the checks that a mutation writes; `before` is the check as the hub has it. */
export interface CheckWrite {
  posReference: string;
  snapshot: Pick<TerminalSnapshot, "lines" | "adjustments" | "orderType" | "tableId">;
  before: Pick<Snapshot, "lines" | "adjustments" | "orderType" | "tableId"> | undefined;
}

type DiscountReason = "taken_off" | "comp" | "line_discount" | "lower_price" | "other_product" | "negative_line";

export interface GivenDiscount {
  posReference: string;
  reason: DiscountReason;
  /** Absent for one of the whole check. */
  lineId?: string;
}

type Line = TerminalLine | StoredLine;

interface Origin {
  posReference: string;
  line: StoredLine;
  orderType: OrderType;
}

/** The adjustments of an order after a terminal's write; one that sends no lines leaves them unless it names them. */
export function requestedAdjustments(
  input: Pick<TerminalSnapshot, "adjustments" | "lines">,
  before: Pick<Snapshot, "adjustments"> | undefined,
): Adjustment[] | undefined {
  return input.adjustments ?? (input.lines === undefined ? before?.adjustments : undefined);
}

/** The writes with the price of the line from before where a line names neither a price nor a total. */
export function withKnownPrices(checks: readonly CheckWrite[]): CheckWrite[] {
  const { originOf } = findOrigins(checks);
  return checks.map((check) => {
    const lines = check.snapshot.lines?.map((line) => withKnownPrice(line, originOf(check, line)));
    return lines === undefined ? check : { ...check, snapshot: { ...check.snapshot, lines } };
  });
}

function withKnownPrice(line: TerminalLine, origin: Origin | undefined): TerminalLine {
  if (line.unitPrice !== undefined || line.total !== undefined) return line;
  if (origin === undefined || hasOtherProduct(line, origin)) return line;
  const { unitPrice } = origin.line;
  const before = countedQuantity(origin.line);
  const total =
    before === 0 ? undefined : toNumber(roundTo(4, shareOf(lineTotal(origin.line), countedQuantity(line), before)));
  return { ...line, ...(unitPrice !== undefined && { unitPrice }), ...(total !== undefined && { total }) };
}

/**
 * The first discount that the writes of one mutation give: they take off more than their checks did before, or let a line
 * cost less than the one that it is, or is a part of. What is there may stay, and go along with a split or a merge. Without
 * a menu nothing is a discount for lack of it.
 */
export function discountIn(checks: readonly CheckWrite[], menu: PriceMenu | null): GivenDiscount | null {
  const origins = findOrigins(checks);
  const { originOf } = origins;
  const isMoreFixed = findRaised(checks, origins, (line) => lineDiscount(line, "amount"));
  const isMoreComped = findRaised(checks, origins, compedQuantity);
  for (const check of checks) {
    for (const line of check.snapshot.lines ?? []) {
      const reason = isMoreFixed(check, line)
        ? "line_discount"
        : isMoreComped(check, line)
          ? "comp"
          : lineReason(line, originOf(check, line), orderTypeOf(check), menu);
      if (reason !== null) return { posReference: check.posReference, reason, lineId: line.id };
    }
  }
  return negativeLine(checks, originOf) ?? moreTakenOff(checks);
}

/**
 * The lines of a check as they are stored: those that cost less than the menu asks, or whose product it does not have, say
 * so. One that costs as much as the line that it is, or is a part of, says what that said: the menu may have changed since.
 */
export function compareWithMenu(checks: readonly CheckWrite[], menu: PriceMenu | null) {
  const { originOf } = findOrigins(checks);
  return (check: CheckWrite, line: TerminalLine): { line: TerminalLine; isNews: boolean } => {
    const { menuCheck: _, ...rest } = line;
    const origin = originOf(check, line);
    const orderType = orderTypeOf(check);
    const isKept = origin !== undefined && !hasOtherProduct(line, origin) && !isCheaper(line, origin, orderType);
    const menuCheck = isKept ? origin.line.menuCheck : menuCheckOf(line, orderType, menu);
    const next = menuCheck === undefined ? rest : { ...rest, menuCheck };
    return { line: next, isNews: menuCheck === "below" && !isKept && line.voided !== true };
  };
}

type Origins = ReturnType<typeof findOrigins>;

/** Which line of before each line is, or is a part of, and which one it comes from at last. */
function findOrigins(checks: readonly CheckWrite[]) {
  const linesOf = new Map<string, Map<string, Origin>>();
  const anywhere = new Map<string, Origin>();
  for (const { posReference, before } of checks) {
    const lines = new Map<string, Origin>();
    for (const line of before?.lines ?? []) {
      const origin = { posReference, line, orderType: before?.orderType ?? "dine_in" };
      lines.set(line.id, origin);
      const other = anywhere.get(line.id);
      // Of two that go by one id, nobody may take the cheaper one for the other.
      if (other === undefined || fullPrice(other.line) < fullPrice(line)) anywhere.set(line.id, origin);
    }
    linesOf.set(posReference, lines);
  }
  function wholeOf(posReference: string, { splitOf, splitFrom }: Line): Origin | undefined {
    if (splitOf === undefined) return undefined;
    const [from, own] = [linesOf.get(splitFrom ?? posReference), linesOf.get(posReference)];
    return from?.get(splitOf) ?? own?.get(splitOf) ?? anywhere.get(splitOf);
  }
  function originOf({ posReference }: CheckWrite, line: Line): Origin | undefined {
    return linesOf.get(posReference)?.get(line.id) ?? wholeOf(posReference, line) ?? anywhere.get(line.id);
  }
  function rootOf(check: CheckWrite, line: Line): Origin | undefined {
    const seen = new Set<Origin>();
    let root = originOf(check, line);
    for (let next = root; next !== undefined && !seen.has(next); next = wholeOf(next.posReference, next.line)) {
      seen.add(next);
      root = next;
    }
    return root;
  }
  return { originOf, rootOf };
}

/**
 * Whether a line has something, and the lines that come from the same one have more of it together than before: what is
 * parted, or goes back into its line, brings its share and no more.
 */
function findRaised(checks: readonly CheckWrite[], { rootOf }: Origins, amount: (line: Line) => number) {
  const more = new Map<Origin | undefined, number>();
  const add = (check: CheckWrite, line: Line, sign: 1 | -1): void => {
    const has = amount(line);
    // Most lines have nothing, and every write asks.
    if (has === 0) return;
    const root = rootOf(check, line);
    more.set(root, (more.get(root) ?? 0) + sign * toUnits(has));
  };
  for (const check of checks) {
    const { snapshot, before } = check;
    for (const line of before?.lines ?? []) add(check, line, -1);
    for (const line of snapshot.lines ?? before?.lines ?? []) add(check, line, 1);
  }
  return (check: CheckWrite, line: Line): boolean => amount(line) > 0 && (more.get(rootOf(check, line)) ?? 0) > 0;
}

function lineReason(
  line: TerminalLine,
  origin: Origin | undefined,
  orderType: OrderType,
  menu: PriceMenu | null,
): DiscountReason | null {
  if (lineDiscount(line, "percent") > lineDiscount(origin?.line, "percent")) return "line_discount";
  if (origin === undefined) return null;
  const isSent = origin.line.kitchenSentAt !== undefined;
  if (hasOtherProduct(line, origin)) return isSent ? "other_product" : null;
  if (!isCheaper(line, origin, orderType)) return null;
  if (!isPriceLowered(line, origin) && isAsPriced(line, origin, orderType, menu)) return null;
  // What the kitchen does not have may also be taken off and put on again, at the menu's price of now.
  return !isSent && menuCheckOf(line, orderType, menu) === undefined ? null : "lower_price";
}

/** How much of a line is void because it was given away. */
function compedQuantity(line: Line): number {
  return line.comp === true ? voidedQuantityOf(line) : 0;
}

function hasOtherProduct(line: Line, origin: Origin): boolean {
  return line.productId !== undefined && String(line.productId) !== String(origin.line.productId);
}

/** Whether it costs less than its part of the line from before; to the cent where the quantity is the same. */
function isCheaper(line: TerminalLine, origin: Origin, orderType: OrderType): boolean {
  if (isPriceLowered(line, origin)) return true;
  const [before, after] = [countedQuantity(origin.line), countedQuantity(line)];
  if (before === 0 || after === 0) return false;
  if (before !== after && isUnitPriced(origin.line) && isUnitPriced(line)) return false;
  const rounded = before === after && orderType === origin.orderType ? 0 : ROUNDED;
  return toUnits(lineTotal(line)) < toUnits((lineTotal(origin.line) / before) * after - rounded);
}

/** Whether it costs its price by the piece, with no tax on top: then the odd cents of a part are no price of the dish. */
function isUnitPriced(line: Line): boolean {
  return Math.abs(lineTotal(line) - fullPrice(line) * countedQuantity(line)) <= ROUNDED;
}

/** The unit price; of what the kitchen has, with what was chosen with it. */
function isPriceLowered(line: TerminalLine, { line: before }: Origin): boolean {
  if (toUnits(line.unitPrice ?? 0) < toUnits(before.unitPrice ?? 0)) return true;
  return before.kitchenSentAt !== undefined && toUnits(fullPrice(line)) < toUnits(fullPrice(before));
}

/** Whether it costs what its unit price comes to: for another order type, or with other extras. */
function isAsPriced(line: TerminalLine, origin: Origin, orderType: OrderType, menu: PriceMenu | null): boolean {
  const product = productOf(line, menu);
  if (product === undefined) {
    return orderType !== origin.orderType || toUnits(fullPrice(line)) !== toUnits(fullPrice(origin.line));
  }
  const price = priceOf(line, { unitPrice: line.unitPrice ?? 0, modifiers: extrasOf(line) }, product, orderType, menu);
  return price !== null && toUnits(lineTotal(line)) >= toUnits(price - ROUNDED);
}

/** What the menu says of a line: nothing where it costs at least what the menu asks. */
function menuCheckOf(line: TerminalLine, orderType: OrderType, menu: PriceMenu | null): MenuCheck | undefined {
  const product = productOf(line, menu);
  if (product === undefined) return "unknown";
  const extras = new Map(product.modifiers?.map(({ id, price }) => [String(id), price]));
  const modifiers = extrasOf(line).map(({ id, price, quantity }) => {
    return { price: extras.get(String(id)) ?? Math.max(0, price), quantity };
  });
  const asked = priceOf(line, { unitPrice: product.price, modifiers }, product, orderType, menu);
  return asked !== null && toUnits(lineTotal(line)) >= toUnits(asked - ROUNDED) ? undefined : "below";
}

function productOf(line: Line, menu: PriceMenu | null) {
  if (line.productId === undefined || menu === null) return undefined;
  let byId = productsById.get(menu.products);
  if (byId === undefined) {
    byId = new Map(menu.products.map((product) => [String(product.id), product]));
    productsById.set(menu.products, byId);
  }
  return byId.get(String(line.productId));
}

/** A menu has up to some thousand dishes, and every new line asks for one. */
const productsById = new WeakMap<PriceMenu["products"], ReadonlyMap<string, PriceMenu["products"][number]>>();

/** What a line comes to at a price; null where it says what cannot be priced. */
function priceOf(
  line: TerminalLine,
  at: { unitPrice: number; modifiers: { price: number; quantity: number }[] },
  { taxIds }: Pick<BackOfficeProduct, "taxIds">,
  orderType: OrderType,
  menu: PriceMenu | null,
): number | null {
  const { quantity, voidedQuantity } = line;
  const [percent, amount] = [lineDiscount(line, "percent"), lineDiscount(line, "amount")];
  const discount = percent > 0 ? { percent } : { amount };
  const taxes = menu?.taxes.filter(({ id }) => taxIds.includes(id)) ?? [];
  try {
    const priced = priceLine(
      { ...at, quantity, voidedQuantity, discount, taxes },
      { orderType, rounding: menu?.rounding },
    );
    return priced.total;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** More taken off by lines below zero than before: the first that is new, or lower than it was. */
function negativeLine(
  checks: readonly CheckWrite[],
  originOf: (check: CheckWrite, line: TerminalLine) => Origin | undefined,
): GivenDiscount | null {
  const linesBefore = checks.flatMap(({ before }) => before?.lines ?? []);
  const linesAfter = checks.flatMap(({ snapshot, before }): Line[] => snapshot.lines ?? before?.lines ?? []);
  if (sumOf(linesAfter, belowZero) <= sumOf(linesBefore, belowZero)) return null;
  for (const check of checks) {
    const { posReference, snapshot } = check;
    const line = snapshot.lines?.find((each) => belowZero(each) > belowZero(originOf(check, each)?.line));
    if (line !== undefined) return { posReference, reason: "negative_line", lineId: line.id };
  }
  return null;
}

function belowZero(line: Line | undefined): number {
  if (line === undefined || line.voided === true) return 0;
  return toUnits(Math.max(0, -lineTotal(line), -fullPrice(line) * countedQuantity(line)));
}

function moreTakenOff(checks: readonly CheckWrite[]): GivenDiscount | null {
  const after = (check: CheckWrite): number => takenOff(requestedAdjustments(check.snapshot, check.before));
  if (sumOf(checks, after) <= sumOf(checks, ({ before }) => takenOff(before?.adjustments))) return null;
  const check = checks.find((each) => after(each) > 0);
  return check === undefined ? null : { posReference: check.posReference, reason: "taken_off" };
}

/** How much adjustments take off: discounts, and whatever else is below zero. */
function takenOff(adjustments: readonly Adjustment[] = []): number {
  const isRounding = ({ kind }: Adjustment): boolean => kind === "rounding";
  const rounding = -sumOf(adjustments.filter(isRounding), ({ amount }) => toUnits(amount));
  const others = adjustments.filter((each) => !isRounding(each));
  return (
    (rounding > toUnits(MOST_ROUNDING) ? rounding : 0) + sumOf(others, ({ amount }) => Math.max(0, -toUnits(amount)))
  );
}

/** What a line's discount takes off, per cent or a fixed amount; 0 where it has none of that form. */
export function lineDiscount(line: Line | { discount?: unknown } | undefined, form: "percent" | "amount"): number {
  const discount = line?.["discount"];
  if (typeof discount !== "object" || discount === null) return 0;
  const value: unknown = Reflect.get(discount, form);
  return typeof value === "number" ? value : 0;
}

/** As if the line were not void, so that one that comes back costs what it did. */
function countedQuantity({ quantity, voidedQuantity }: Line): number {
  return chargedQuantity({ quantity, voidedQuantity });
}

function orderTypeOf({ snapshot, before }: CheckWrite): OrderType {
  return snapshot.orderType ?? before?.orderType ?? "dine_in";
}

function sumOf<T>(list: readonly T[], amount: (each: T) => number): number {
  return list.reduce((sum, each) => sum + amount(each), 0);
}
