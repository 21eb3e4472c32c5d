import type {
  Adjustment,
  BackOfficeProduct,
  BackOfficeTax,
  MenuCheck,
  OrderType,
  Rounding,
  TerminalLine,
} from "@comanda/protocol";
import { hasOtherProduct } from "../../kitchen/find-dishes.ts";
import { voidedQuantityOf } from "../../kitchen/line-quantities.ts";
import { chargedQuantity } from "../../payments/charged-lines.ts";
import { shareOf, toUnits } from "../amounts.ts";
import { roundTo, toNumber } from "../exact.ts";
import { extrasOf, fullPrice } from "./extras-of.ts";
import { asGranted, requestedAdjustments } from "./limit-discounts.ts";
import {
  type CheckWrite,
  findOrigins,
  findRaised,
  type Line,
  orderTypeOf,
  type Origin,
  type Origins,
} from "./line-origins.ts";
import { lineTotal } from "./line-total.ts";
import { priceLine } from "./price-line.ts";

/**
 * Finds discounts, which only a cashier or manager may give, and prices below the menu, which a manager is shown. The hub and
 * the terminals share these rules, which depend on no schema library and not on Node.
 */

/** The most that cash rounding may take off without counting as a discount. */
const MAX_ROUNDING = 5;
/** Tolerance for one part of a line, because only the sum of the parts is exact. */
const ROUNDED = 0.02;

/** The parts of the back-office's configuration that lines are compared with. */
export interface PriceMenu {
  products: readonly Pick<BackOfficeProduct, "id" | "price" | "taxIds" | "modifiers">[];
  taxes: readonly BackOfficeTax[];
  rounding?: Rounding | undefined;
}

type DiscountReason = "taken_off" | "comp" | "line_discount" | "lower_price" | "negative_line";

export interface DetectedDiscount {
  posReference: string;
  reason: DiscountReason;
  /** Absent for a discount on the whole check. */
  lineId?: string;
}

/** Returns a function that fills in what a line leaves out: the product of a sent line; the price, if also no total. */
export function keepPrices({ originOf }: Origins) {
  return (check: CheckWrite, line: TerminalLine): TerminalLine => {
    const origin = originOf(check, line);
    return withPreviousPrice(withPreviousProduct(line, origin), origin);
  };
}

function withPreviousProduct(line: TerminalLine, origin: Origin | undefined): TerminalLine {
  const { productId, kitchenSentAt } = origin?.line ?? {};
  if (line.productId !== undefined || productId === undefined || kitchenSentAt === undefined) return line;
  return { ...line, productId };
}

function withPreviousPrice(line: TerminalLine, origin: Origin | undefined): TerminalLine {
  if (line.unitPrice !== undefined || line.total !== undefined) return line;
  if (origin === undefined || hasOtherProduct(line, origin.line)) return line;
  const { unitPrice } = origin.line;
  const before = countedQuantity(origin.line);
  const total =
    before === 0 ? undefined : toNumber(roundTo(4, shareOf(lineTotal(origin.line), countedQuantity(line), before)));
  return { ...line, ...(unitPrice !== undefined && { unitPrice }), ...(total !== undefined && { total }) };
}

/**
 * Returns the first discount given by a mutation: checks with more taken off than before, or a line cheaper than the one it was
 * or was split from. Existing discounts may stay, and move along in a split or merge. Without a menu, a price never counts as
 * a discount just because it cannot be looked up.
 */
export function discountIn(
  checks: readonly CheckWrite[],
  menu: PriceMenu | null,
  origins = findOrigins(checks),
): DetectedDiscount | null {
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
  return negativeLine(checks, originOf) ?? addedReduction(checks);
}

/**
 * Returns a function that marks lines that cost less than the menu, or whose product is not on it. A line that is not cheaper
 * than the one it was or was split from keeps that line's mark, because the menu may have changed since, unless its price was
 * raised to the menu's.
 */
export function compareWithMenu({ originOf }: Origins, menu: PriceMenu | null) {
  return (check: CheckWrite, line: TerminalLine): { line: TerminalLine; isNews: boolean } => {
    const { menuCheck: _, ...rest } = line;
    const origin = originOf(check, line);
    const orderType = orderTypeOf(check);
    const byMenu = menuCheckOf(line, orderType, menu);
    const keepsPrice =
      origin !== undefined &&
      // A product that the line did not name before has a price on the menu, too.
      (line.productId === undefined || String(line.productId) === String(origin.line.productId)) &&
      !isCheaper(line, origin, orderType) &&
      !(byMenu === undefined && isPriceRaised(line, origin));
    const menuCheck = keepsPrice ? origin.line.menuCheck : byMenu;
    const next = menuCheck === undefined ? rest : { ...rest, menuCheck };
    return { line: next, isNews: menuCheck === "below" && !keepsPrice && line.voided !== true };
  };
}

function lineReason(
  line: TerminalLine,
  origin: Origin | undefined,
  orderType: OrderType,
  menu: PriceMenu | null,
): DiscountReason | null {
  if (lineDiscount(line, "percent") > lineDiscount(origin?.line, "percent")) return "line_discount";
  if (origin === undefined || hasOtherProduct(line, origin.line)) return null;
  if (!isCheaper(line, origin, orderType)) return null;
  if (!isPriceLowered(line, origin) && isAsPriced(line, origin, orderType, menu)) return null;
  // A line not sent yet could also be removed and added again at the menu's current price.
  const isSent = origin.line.kitchenSentAt !== undefined;
  return !isSent && menuCheckOf(line, orderType, menu) === undefined ? null : "lower_price";
}

/** Returns the quantity of a line that is void because it was given away. */
function compedQuantity(line: Line): number {
  return line.comp === true ? voidedQuantityOf(line) : 0;
}

/** Returns whether a line costs less than its part of the previous line; exact to the cent for an unchanged quantity. */
function isCheaper(line: TerminalLine, origin: Origin, orderType: OrderType): boolean {
  if (isPriceLowered(line, origin)) return true;
  const [before, after] = [countedQuantity(origin.line), countedQuantity(line)];
  if (before === 0 || after === 0) return false;
  if (before !== after && isUnitPriced(origin.line) && isUnitPriced(line)) return false;
  const was = toUnits(fullPrice(origin.line));
  // Dearer extras raise what the line has to cost, with their tax.
  const dearer = was > 0 ? Math.max(1, toUnits(fullPrice(line)) / was) : 1;
  const rounded = before === after && dearer === 1 && orderType === origin.orderType ? 0 : ROUNDED;
  return toUnits(lineTotal(line)) < toUnits((lineTotal(origin.line) / before) * after * dearer - rounded);
}

/** Returns whether a line costs quantity times price, without taxes on top. Then rounding of split parts is no discount. */
function isUnitPriced(line: Line): boolean {
  return Math.abs(lineTotal(line) - fullPrice(line) * countedQuantity(line)) <= ROUNDED;
}

/** Returns whether the unit price is lower than before; for a sent line, including its modifiers. */
function isPriceLowered(line: TerminalLine, { line: before }: Origin): boolean {
  if (toUnits(line.unitPrice ?? 0) < toUnits(before.unitPrice ?? 0)) return true;
  return before.kitchenSentAt !== undefined && toUnits(fullPrice(line)) < toUnits(fullPrice(before));
}

/** Returns whether the unit price is higher than before, or the total of the same quantity. */
function isPriceRaised(line: TerminalLine, { line: before }: Origin): boolean {
  if (toUnits(line.unitPrice ?? 0) > toUnits(before.unitPrice ?? 0)) return true;
  return countedQuantity(line) === countedQuantity(before) && toUnits(lineTotal(line)) > toUnits(lineTotal(before));
}

/** Returns whether a line costs what its unit price yields, after a change of order type or modifiers. */
function isAsPriced(line: TerminalLine, origin: Origin, orderType: OrderType, menu: PriceMenu | null): boolean {
  const product = productOf(line, menu);
  const isAlike = orderType === origin.orderType && toUnits(fullPrice(line)) === toUnits(fullPrice(origin.line));
  if (product === undefined && isAlike) return false;
  const price = priceOf(line, product?.taxIds ?? [], orderType, menu);
  // The taxes of a product that is not on the menu are unknown. It costs its price, and as much on top of it as before.
  const isUnknown = product === undefined && orderType === origin.orderType;
  const before = isUnknown ? (priceOf(origin.line, [], orderType, menu) ?? 0) : 0;
  const onTop = before > 0 ? Math.max(1, (lineTotal(origin.line) - ROUNDED) / before) : 1;
  return price !== null && toUnits(lineTotal(line)) >= toUnits(price * onTop - ROUNDED);
}

/** Compares a line with the menu. Undefined if it costs at least the menu's price. */
function menuCheckOf(line: TerminalLine, orderType: OrderType, menu: PriceMenu | null): MenuCheck | undefined {
  const product = productOf(line, menu);
  if (product === undefined) return "unknown";
  const extras = new Map(product.modifiers?.map(({ id, price }) => [String(id), price]));
  const modifiers = extrasOf(line).map(({ id, price, quantity }) => {
    return { price: extras.get(String(id)) ?? Math.max(0, price), quantity };
  });
  const menuTotal = priceOf(line, product.taxIds, orderType, menu, { unitPrice: product.price, modifiers });
  return menuTotal !== null && toUnits(lineTotal(line)) >= toUnits(menuTotal - ROUNDED) ? undefined : "below";
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

/** Cache by menu: menus have up to some thousand products, and every new line looks one up. */
const productsById = new WeakMap<PriceMenu["products"], ReadonlyMap<string, PriceMenu["products"][number]>>();

/** Returns the total of a line at a price, by default its own; null if its content cannot be priced. */
function priceOf(
  line: Line,
  taxIds: BackOfficeProduct["taxIds"],
  orderType: OrderType,
  menu: PriceMenu | null,
  at = { unitPrice: line.unitPrice ?? 0, modifiers: extrasOf(line) as { price: number; quantity: number }[] },
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

/** Returns the first line that is new or lower below zero, if such lines take off more than before. */
function negativeLine(
  checks: readonly CheckWrite[],
  originOf: (check: CheckWrite, line: TerminalLine) => Origin | undefined,
): DetectedDiscount | null {
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

function addedReduction(checks: readonly CheckWrite[]): DetectedDiscount | null {
  const after = (check: CheckWrite): number => reductionOf(requestedAdjustments(check.snapshot, check.before));
  if (sumOf(checks, after) <= sumOf(checks, ({ before }) => reductionOf(before?.adjustments))) return null;
  const check = checks.find((each) => after(each) > 0);
  return check === undefined ? null : { posReference: check.posReference, reason: "taken_off" };
}

/** Returns how much adjustments may take off: discounts as granted, and everything else below zero. */
function reductionOf(limited: readonly Adjustment[] = []): number {
  const adjustments = limited.map(asGranted);
  const isRounding = ({ kind }: Adjustment): boolean => kind === "rounding";
  const rounding = -sumOf(adjustments.filter(isRounding), ({ amount }) => toUnits(amount));
  const others = adjustments.filter((each) => !isRounding(each));
  return (
    (rounding > toUnits(MAX_ROUNDING) ? rounding : 0) + sumOf(others, ({ amount }) => Math.max(0, -toUnits(amount)))
  );
}

/** Returns a line's discount as a percentage or as an amount; 0 if it has none of that form. */
export function lineDiscount(line: Line | { discount?: unknown } | undefined, form: "percent" | "amount"): number {
  const discount = line?.["discount"];
  if (typeof discount !== "object" || discount === null) return 0;
  const value: unknown = Reflect.get(discount, form);
  return typeof value === "number" ? value : 0;
}

/** Ignores `voided`, so that a line whose void is undone costs the same as before. */
function countedQuantity({ quantity, voidedQuantity }: Line): number {
  return chargedQuantity({ quantity, voidedQuantity });
}

function sumOf<T>(list: readonly T[], amount: (each: T) => number): number {
  return list.reduce((sum, each) => sum + amount(each), 0);
}
