import { subtract, sum, toUnits } from "./amounts.ts";

/**
 * Divides a quantity into equal parts that add up to it, in thousandths. Each thousandth left over goes to one of the first
 * parts, and any finer rest to the very first.
 */
export function splitQuantity(quantity: number, parts: number): number[] {
  const thousandths = Math.trunc(toUnits(quantity) / 10);
  const each = Math.trunc(thousandths / parts);
  const shares = Array.from({ length: parts }, (_, index) => each + (index < thousandths - each * parts ? 1 : 0));
  const finer = subtract(quantity, thousandths / 1_000);
  return shares.map((share, index) => (index === 0 ? sum([share / 1_000, finer]) : share / 1_000));
}
