import type { Rounding } from "@comanda/protocol";
import { MAX_AMOUNT } from "@comanda/protocol/bounds.ts";
import { fromCents } from "../amounts.ts";
import { add, centsOf, divide, exact, multiply, negate, ONE, roundTo, sumOf, ZERO, type Exact } from "../exact.ts";

/** `rate` in percent of the net price. `included`: it is part of the unit price. It is charged on `orderTypes` only. */
export interface TaxToPrice {
  id: string | number;
  rate: number;
  included: boolean;
  orderTypes: readonly string[];
}

/** Off the price of a line, toward zero and never beyond it: 0 to 100 percent, or an amount of at least 0. */
export type LineDiscount = { percent: number } | { amount: number };

export interface ModifierToPrice {
  /** Added to the unit price, and taxed like it. */
  price: number;
  /** How often for each unit; 1 if absent. */
  quantity?: number | undefined;
}

/** What a line costs depends on nothing else. A refund has a negative quantity or unit price. */
export interface LineToPrice {
  /** As in the menu, with the taxes that it includes; counts to four decimals. */
  unitPrice: number;
  /** Counts to three decimals: 0.333 kg. */
  quantity: number;
  /** How much of the quantity is void and costs nothing. */
  voidedQuantity?: number | undefined;
  modifiers?: readonly ModifierToPrice[] | undefined;
  discount?: LineDiscount | undefined;
  /** All taxes of the product, also those that this order's type does not bear. */
  taxes: readonly TaxToPrice[];
}

export interface PricingRules {
  /** Taxes are charged by it: the legal tip on `dine_in` only. */
  orderType: string;
  /** As the back-office's configuration says; per line if absent. */
  rounding?: Rounding | undefined;
}

export interface TaxAmount {
  id: string | number;
  amount: number;
}

/** Amounts of money; `total` is `subtotal` and `tax`, and `tax` the sum of `taxes` (those that are charged). */
export interface PricedLine {
  subtotal: number;
  tax: number;
  total: number;
  taxes: TaxAmount[];
}

/** What a line or an order costs before it becomes an amount of money; sums of it are exact. */
export interface Price {
  /** With the included taxes that are charged, without those on top. */
  charged: Exact;
  taxes: { id: string | number; included: boolean; amount: Exact }[];
}

/**
 * Prices a line. Its price (unit price and modifiers, times the quantity, less the discount) is rounded to the cent first,
 * unless the order is rounded as a whole. Each tax is its rate of the net price, rounded by itself. What the guest pays for
 * included taxes is the price; an included tax that this order's type does not bear is taken out of it. Halves go away
 * from zero. RangeError naming the field for a number that is not finite or out of bounds.
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

/** A rounded price as amounts of money. The net price is what the included taxes leave, so that everything adds up. */
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

/** The exact price of a line after its discount. */
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
