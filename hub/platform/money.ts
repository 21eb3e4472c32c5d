/** Amounts are summed and compared as whole ten-thousandths, so that no binary fraction creeps into a total. */
const SCALE = 10_000;

export function toUnits(amount: number): number {
  return Math.round(amount * SCALE);
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((units, amount) => units + toUnits(amount), 0) / SCALE;
}

export function subtract(a: number, b: number): number {
  return (toUnits(a) - toUnits(b)) / SCALE;
}

/** True when the amounts differ by no more than `tolerance`; a difference of exactly that much is accepted. */
export function equalsWithin(a: number, b: number, tolerance: number): boolean {
  return Math.abs(toUnits(a) - toUnits(b)) <= toUnits(tolerance);
}

/** The amount rounded to cents. */
export function toCents(amount: number): number {
  return Math.round(toUnits(amount) / (SCALE / 100));
}
