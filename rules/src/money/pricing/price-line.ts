import type { Rounding } from "@comanda/protocol";
import { MAX_AMOUNT } from "@comanda/protocol/bounds.ts";
import { fromCents } from "../amounts.ts";
import { add, centsOf, divide, exact, multiply, negate, ONE, roundTo, sumOf, ZERO, type Exact } from "../exact.ts";

/** `rate` in percent of the net price. `included`: part of the unit price. Charged only on `orderTypes`. */
export interface TaxToPrice {
  id: string | number;
  rate: number;
  included: boolean;
  orderTypes: readonly string[];
}

/** A discount on the price of a line, which never passes zero: 0 to 100 percent, or an amount of at least 0. */
export type LineDiscount = { percent: number } | { amount: number };

export interface ModifierToPrice {
  /** Added to the unit price and taxed like it. */
  price: number;
  /** Number per unit; 1 if absent. */
  quantity?: number | undefined;
}

/** Everything that the cost of a line depends on. A refund has a negative quantity or unit price. */
export interface LineToPrice {
  /** As in the menu, with its included taxes; rounded to four decimals. */
  unitPrice: number;
  /** Rounded to three decimals, such as 0.333 kg. */
  quantity: number;
  /** The part of the quantity that is void and costs nothing. */
  voidedQuantity?: number | undefined;
  modifiers?: readonly ModifierToPrice[] | undefined;
  discount?: LineDiscount | undefined;
  /** All taxes of the product, even those that do not apply to this order type. */
  taxes: readonly TaxToPrice[];
}

export interface PricingRules {
  /** Decides which taxes apply: the legal tip only on `dine_in`. */
  orderType: string;
  /** From the back-office's configuration; per line if absent. */
  rounding?: Rounding | undefined;
}

export interface TaxAmount {
  id: string | number;
  amount: number;
}

/** Amounts of money. `total` is `subtotal` plus `tax`, and `tax` is the sum of the charged `taxes`. */
export interface PricedLine {
  subtotal: number;
  tax: number;
  total: number;
  taxes: TaxAmount[];
}

/** The cost of a line or an order before rounding to money, so that sums are exact. */
export interface Price {
  /** Includes the included taxes that are charged, but not the taxes on top. */
  charged: Exact;
  taxes: { id: string | number; included: boolean; amount: Exact }[];
}

/**
 * Prices a line. First its price (unit price and modifiers, times the quantity, less the discount) is rounded to the cent,
 * unless the order is rounded as a whole. Each tax is its rate of the net price, rounded separately. Included taxes are part of
 * the price; one that does not apply to this order type is subtracted from it. Halves are rounded away from zero. Throws a
 * RangeError naming the field for a number that is not finite or out of bounds.
 */
export function priceLine(line: LineToPrice, rules: PricingRules): PricedLine {
  return presentPrice(roundPrice(exactPrice(line, rules)));
}

export function exactPrice(line: LineToPrice, { orderType, rounding = "line" }: PricingRules): Price {
  const price = priceOf(line);
  const due = line.taxes.filter((tax) => tax.orderTypes.includes(orderType));
  const net = divide(rounding === "line" ? roundTo(2, price) : price, add(ONE, includedShare(line.taxes)));
  return {
    charged: multiply(net, add(ONE, includedShare(due))),
    taxes: due.map(({ id, included, rate }) => ({ id, included, amount: multiply(net, share(rate, "rate")) })),
  };
}

export function roundPrice({ charged, taxes }: Price): Price {
  return {
    charged: roundTo(2, charged),
    taxes: taxes.map((tax) => ({ ...tax, amount: roundTo(2, tax.amount) })),
  };
}

/** Converts a rounded price to amounts. The net price is the rest after the included taxes, so that everything adds up. */
export function presentPrice({ charged, taxes }: Price): PricedLine {
  const inCents = taxes.map(({ amount, ...tax }) => ({ ...tax, cents: boundedCents(amount) }));
  const tax = inCents.reduce((sum, { cents }) => sum + cents, 0);
  const included = inCents.reduce((sum, one) => sum + (one.included ? one.cents : 0), 0);
  const subtotal = boundedCents(charged) - included;
  return {
    subtotal: fromCents(subtotal),
    tax: fromCents(tax),
    total: fromCents(subtotal + tax),
    taxes: inCents.map(({ id, cents }) => ({ id, amount: fromCents(cents) })),
  };
}

function boundedCents(amount: Exact): number {
  const cents = centsOf(amount);
  if (Math.abs(cents) > MAX_AMOUNT * 100) throw new RangeError(`${fromCents(cents)} is more than ${MAX_AMOUNT}`);
  return cents;
}

/** Returns the exact price of a line after its discount. */
function priceOf({ unitPrice, modifiers = [], quantity, voidedQuantity = 0, discount }: LineToPrice): Exact {
  const extras = modifiers.map((modifier) =>
    multiply(decimal(4, modifier.price, "modifiers.price"), decimal(3, modifier.quantity ?? 1, "modifiers.quantity")),
  );
  const units = add(decimal(3, quantity, "quantity"), negate(decimal(3, voidedQuantity, "voidedQuantity")));
  if (voidedQuantity > 0 && units.numerator < 0n) {
    throw new RangeError(`voidedQuantity: ${voidedQuantity} is more than the quantity of ${quantity}`);
  }
  const price = multiply(add(decimal(4, unitPrice, "unitPrice"), sumOf(extras)), units);
  return discount === undefined ? price : discounted(price, discount);
}

function discounted(price: Exact, discount: LineDiscount): Exact {
  if ("percent" in discount) {
    const { percent } = discount;
    if (percent < 0 || percent > 100) throw new RangeError(`discount.percent: ${percent} is not from 0 to 100`);
    return multiply(price, add(ONE, negate(share(percent, "discount.percent"))));
  }
  const { amount } = discount;
  if (amount < 0) throw new RangeError(`discount.amount: ${amount} is below 0`);
  const off = decimal(4, amount, "discount.amount");
  const isRefund = price.numerator < 0n;
  const rest = add(isRefund ? negate(price) : price, negate(off));
  if (rest.numerator <= 0n) return ZERO;
  return isRefund ? negate(rest) : rest;
}

function includedShare(taxes: readonly TaxToPrice[]): Exact {
  return sumOf(taxes.filter((tax) => tax.included).map((tax) => share(tax.rate, "rate")));
}

function share(percent: number, field: string): Exact {
  return divide(decimal(4, percent, field), exact(100));
}

function decimal(places: number, value: number, field: string): Exact {
  return roundTo(places, exact(value, field));
}
