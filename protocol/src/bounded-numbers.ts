import { MAX_AMOUNT, MAX_QUANTITY } from "./bounds.ts";

const QUANTITY = /quantity$/i;
const MONEY = /(price|amount|total|subtotal|discount|tip|cost|tax|charge)$/i;

/** A number out of its bounds, with its place from the outside in. */
interface Unbounded {
  path: (string | number)[];
  problem: string;
}

/**
 * Quantities and amounts of money that are out of their bounds in an open record, however deep, such as the price of a
 * modifier: they are recognized by their names. `known` fields of the record itself have schemas of their own.
 */
export function unboundedNumbers(value: unknown, known: ReadonlySet<string> = new Set()): Unbounded[] {
  if (typeof value !== "object" || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, each]: [string | number, unknown]): Unbounded[] => {
    if (known.has(String(key))) return [];
    if (typeof each !== "number") {
      return unboundedNumbers(each).map(({ path, problem }) => ({ path: [key, ...path], problem }));
    }
    const problem = problemOf(String(key), each);
    return problem === null ? [] : [{ path: [key], problem }];
  });
}

function problemOf(name: string, value: number): string | null {
  if (QUANTITY.test(name)) {
    return value >= 0 && value <= MAX_QUANTITY ? null : `must be 0 to ${MAX_QUANTITY}`;
  }
  if (!MONEY.test(name)) return null;
  return Math.abs(value) <= MAX_AMOUNT ? null : `must be ${-MAX_AMOUNT} to ${MAX_AMOUNT}`;
}
