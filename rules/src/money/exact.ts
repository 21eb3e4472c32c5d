/** An exact fraction; floats cannot represent 0.1 or thirds. `denominator` is above 0. */
export interface Exact {
  numerator: bigint;
  denominator: bigint;
}

export const ZERO: Exact = { numerator: 0n, denominator: 1n };
export const ONE: Exact = { numerator: 1n, denominator: 1n };

/** Below this, different decimals of four places are different floats. */
const MAX_UNITS = 1e14;

/** Parses the decimal notation of `value`, so that 0.1 is a tenth. RangeError naming `field` if it is not finite. */
export function exact(value: number, field = "amount"): Exact {
  // Fast path for nearly all amounts, without formatting a string.
  const units = Math.round(value * 10_000);
  if (units / 10_000 === value && Math.abs(units) < MAX_UNITS) {
    return { numerator: BigInt(units), denominator: 10_000n };
  }
  const [, sign, whole = "", decimals = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? fail(field, value);
  const digits = BigInt(whole + decimals);
  const scale = decimals.length - Number(exponent);
  const numerator = scale < 0 ? digits * 10n ** BigInt(-scale) : digits;
  return { numerator: sign === "-" ? -numerator : numerator, denominator: scale < 0 ? 1n : 10n ** BigInt(scale) };
}

function fail(field: string, value: number): never {
  throw new RangeError(`${field}: ${value} is not a finite number`);
}

export function add(a: Exact, b: Exact): Exact {
  if (a.denominator === b.denominator) return { ...a, numerator: a.numerator + b.numerator };
  return reduced(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function multiply(a: Exact, b: Exact): Exact {
  return reduced(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** Divides by `b`, which must be above 0. */
export function divide(a: Exact, b: Exact): Exact {
  return reduced(a.numerator * b.denominator, a.denominator * b.numerator);
}

export function negate(a: Exact): Exact {
  return { ...a, numerator: -a.numerator };
}

export function sumOf(values: readonly Exact[]): Exact {
  return values.reduce(add, ZERO);
}

/** Rounds to a number of decimals, halves away from zero. */
export function roundTo(places: number, { numerator, denominator }: Exact): Exact {
  const scale = 10n ** BigInt(places);
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * size * scale + denominator) / (2n * denominator);
  return { numerator: numerator < 0n ? -rounded : rounded, denominator: scale };
}

/** Converts to the nearest float. */
export function toNumber(value: Exact): number {
  return Number(value.numerator) / Number(value.denominator);
}

export function centsOf(amount: Exact): number {
  return Number(roundTo(2, amount).numerator);
}

function reduced(numerator: bigint, denominator: bigint): Exact {
  const divisor = greatestDivisor(numerator < 0n ? -numerator : numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
