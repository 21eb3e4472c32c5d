import { subtract, sum, toUnits } from "./amounts.ts";

/**
 * A quantity in equal parts that add up to it. They are thousandths; what is left over goes, a thousandth each, to the first
 * parts, and what is finer than that to the first.
 */
export function splitQuantity(quantity: number, parts: number): number[] {
  const thousandths = Math.trunc(toUnits(quantity) / 10);
  const each = Math.trunc(thousandths / parts);
  const shares = Array.from({ length: parts }, (_, index) => each + (index < thousandths - each * parts ? 1 : 0));
  const finer = subtract(quantity, thousandths / 1_000);
  return shares.map((share, index) => (index === 0 ? sum([share / 1_000, finer]) : share / 1_000));
}
