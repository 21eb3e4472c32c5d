import { MAX_AMOUNT, MAX_QUANTITY } from "./bounds.ts";

const QUANTITY = /quantity$/i;
const MONEY = /(price|amount|total|subtotal|discount|tip|cost|tax|charge)$/i;

/** A number outside its bounds, with its path from the outermost field in. */
interface Unbounded {
  path: string[];
  problem: string;
}

/**
 * Returns the quantities and amounts of an open record that are out of bounds, at any depth, such as the price of a modifier.
 * They are recognized by name. `known` fields of the record itself are skipped, because schemas check them.
 */
export function unboundedNumbers(record: object, known: ReadonlySet<string>): Unbounded[] {
  const found: Unbounded[] = [];
  collect(record, { path: [], known, found });
  return found;
}

/** Runs for every line of every write, so it allocates nothing for valid numbers. */
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
