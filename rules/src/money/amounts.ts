import { divide, exact, multiply, roundTo, toNumber, type Exact } from "./exact.ts";

/** Stored amounts and quantities have at most four decimals; sums of them are whole numbers of this. */
const PLACES = 4;
const SCALE = 10 ** PLACES;

/** An amount as whole cents, as it is written and with halves away from zero: 1.005 is 101. RangeError when it is not finite. */
export function toCents(amount: number): number {
  return scaled(amount, 2);
}

export function fromCents(cents: number): number {
  return cents / 100;
}

/** Whole ten-thousandths: two amounts or quantities are the same when these are. */
export function toUnits(value: number): number {
  return scaled(value, PLACES);
}

/** The sum of amounts, or of quantities, to four decimals. */
export function sum(values: readonly number[]): number {
  return values.reduce((units, value) => units + toUnits(value), 0) / SCALE;
}

export function subtract(a: number, b: number): number {
  return (toUnits(a) - toUnits(b)) / SCALE;
}

/** True when the amounts differ by no more than `tolerance`; a difference of exactly that much is accepted. */
export function equalsWithin(a: number, b: number, tolerance: number): boolean {
  return Math.abs(toUnits(a) - toUnits(b)) <= toUnits(tolerance);
}

/** What so many cost, to four decimals or fewer. */
export function costOf(unitPrice: number, quantity: number, places = PLACES): number {
  return toNumber(roundTo(places, multiply(exact(unitPrice), exact(quantity))));
}

/** What `part` of a `whole` above 0 costs of its amount, to the cent. */
export function proportionOf(amount: number, part: number, whole: number): number {
  return toNumber(roundTo(2, shareOf(amount, part, whole)));
}

/** The whole percentage of `base` that `amount` is, less than a cent apart; null when it is none. */
export function wholePercentOf(amount: number, base: number): number | null {
  if (base <= 0) return null;
  const percent = Math.round((amount / base) * 100);
  return percent > 0 && equalsWithin(costOf(base, percent / 100), amount, 0.0099) ? percent : null;
}

export function shareOf(amount: number, part: number, whole: number): Exact {
  return divide(multiply(exact(amount), exact(part)), exact(whole));
}

/** Below this a product is off by less than a thousandth of a unit; within that of a half, the exact number decides. */
const SURE_BELOW = 2 ** 40;
const NEAR = 0.001;

/** `value` in units of so many decimals. What is not near a half is rounded without exact numbers, which take much longer. */
function scaled(value: number, places: 2 | typeof PLACES): number {
  const size = Math.abs(value) * 10 ** places;
  const whole = Math.floor(size);
  const rest = size - whole;
  if (!(size < SURE_BELOW) || Math.abs(rest - 0.5) < NEAR) return Number(roundTo(places, exact(value)).numerator);
  const rounded = rest > 0.5 ? whole + 1 : whole;
  return value < 0 && rounded > 0 ? -rounded : rounded;
}
