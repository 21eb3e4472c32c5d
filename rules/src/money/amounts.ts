import { divide, exact, multiply, roundTo, toNumber, type Exact } from "./exact.ts";

/** Stored amounts and quantities have at most four decimals. Sums are computed in whole units of this size. */
const PLACES = 4;
const SCALE = 10 ** PLACES;

/** Converts an amount to whole cents, halves away from zero: 1.005 becomes 101. RangeError if it is not finite. */
export function toCents(amount: number): number {
  return scaled(amount, 2);
}

export function fromCents(cents: number): number {
  return cents / 100;
}

/** Converts to whole ten-thousandths. Two amounts or quantities are equal if these are. */
export function toUnits(value: number): number {
  return scaled(value, PLACES);
}

/** Returns the sum of amounts or quantities, to four decimals. */
export function sum(values: readonly number[]): number {
  return values.reduce((units, value) => units + toUnits(value), 0) / SCALE;
}

export function subtract(a: number, b: number): number {
  return (toUnits(a) - toUnits(b)) / SCALE;
}

/** Returns whether two amounts differ by at most `tolerance`. */
export function equalsWithin(a: number, b: number, tolerance: number): boolean {
  return Math.abs(toUnits(a) - toUnits(b)) <= toUnits(tolerance);
}

/** Returns the cost of a quantity, to four decimals or fewer. */
export function costOf(unitPrice: number, quantity: number, places = PLACES): number {
  return toNumber(roundTo(places, multiply(exact(unitPrice), exact(quantity))));
}

/** Returns the cost of `part` of a `whole` (above 0) that costs `amount`, to the cent. */
export function proportionOf(amount: number, part: number, whole: number): number {
  return toNumber(roundTo(2, shareOf(amount, part, whole)));
}

/** Returns the whole percentage of `base` that equals `amount` to within a cent, or null if there is none. */
export function wholePercentOf(amount: number, base: number): number | null {
  if (base <= 0) return null;
  const percent = Math.round((amount / base) * 100);
  return percent > 0 && equalsWithin(costOf(base, percent / 100), amount, 0.0099) ? percent : null;
}

export function shareOf(amount: number, part: number, whole: number): Exact {
  return divide(multiply(exact(amount), exact(part)), exact(whole));
}

/** Below this size a float is off by less than NEAR. Within NEAR of a half, exact numbers decide. */
const SURE_BELOW = 2 ** 40;
const NEAR = 0.001;

/** Scales and rounds `value` to a number of decimals. Avoids the much slower exact numbers unless it is close to a half. */
function scaled(value: number, places: 2 | typeof PLACES): number {
  const size = Math.abs(value) * 10 ** places;
  const whole = Math.floor(size);
  const rest = size - whole;
  if (!(size < SURE_BELOW) || Math.abs(rest - 0.5) < NEAR) return Number(roundTo(places, exact(value)).numerator);
  const rounded = rest > 0.5 ? whole + 1 : whole;
  return value < 0 && rounded > 0 ? -rounded : rounded;
}
