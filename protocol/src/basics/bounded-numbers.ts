import { MAX_AMOUNT, MAX_QUANTITY } from "./bounds.ts";

const QUANTITY = /quantity$/i;
const MONEY = /(price|amount|total|subtotal|discount|tip|cost|tax|charge)$/i;

/** A number out of its bounds, with its place from the outside in. */
interface Unbounded {
  path: string[];
  problem: string;
}

/**
 * Quantities and amounts of money that are out of their bounds in an open record, however deep, such as the price of a
 * modifier: they are recognized by their names. `known` fields of the record itself have schemas of their own.
 */
export function unboundedNumbers(record: object, known: ReadonlySet<string>): Unbounded[] {
  const found: Unbounded[] = [];
  collect(record, { path: [], known, found });
  return found;
}

/** Runs for every line of every write: nothing is made for what is as it has to be. */
function collect(
  record: object,
  { path, known, found }: { path: readonly string[]; known: ReadonlySet<string>; found: Unbounded[] },
): void {
  for (const key of Object.keys(record)) {
    const value = (record as Record<string, unknown>)[key];
    if (known.has(key)) continue;
    if (typeof value === "number") {
      const problem = problemOf(key, value);
      if (problem !== null) found.push({ path: [...path, key], problem });
    } else if (typeof value === "object" && value !== null) {
      collect(value, { path: [...path, key], known: NOTHING, found });
    }
  }
}

const NOTHING: ReadonlySet<string> = new Set();

function problemOf(name: string, value: number): string | null {
  if (QUANTITY.test(name)) {
    return value >= 0 && value <= MAX_QUANTITY ? null : `must be 0 to ${MAX_QUANTITY}`;
  }
  if (!MONEY.test(name)) return null;
  return Math.abs(value) <= MAX_AMOUNT ? null : `must be ${-MAX_AMOUNT} to ${MAX_AMOUNT}`;
}
