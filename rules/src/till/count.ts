import type { CountedMethod, ForeignCurrency, ShiftMethod, UncountedMethod } from "@comanda/protocol";
import { costOf, equalsWithin, subtract, sum, toUnits } from "../money/amounts.ts";

/** A count that cannot be one; nothing of what is expected shows in it. */
export type CountProblem =
  | { field: string; why: "twice" | "pieces" }
  | { field: string; why: "missing"; missing: [UncountedMethod, ...UncountedMethod[]] };

type Expected = Omit<ShiftMethod, "counted" | "difference">;

/** The methods whose money lies in a drawer. */
export type CashMethods = ReadonlySet<string>;

/**
 * Why a count is none: a method is named twice, its pieces come to something else, or cash is not counted: that of the house,
 * and each currency and cash method of which there was any.
 */
export function problemOfCount(
  counted: readonly CountedMethod[],
  expected: readonly Expected[],
  { cashMethodId, cash }: { cashMethodId: string; cash: CashMethods },
): CountProblem | null {
  const named = new Set<string>();
  for (const [index, count] of counted.entries()) {
    const field = `counted.${index}`;
    if (named.has(keyOf(count))) return { field, why: "twice" };
    named.add(keyOf(count));
    const { pieces } = count;
    if (pieces === undefined) continue;
    const inPieces = sum(pieces.map((piece) => costOf(piece.value, piece.count)));
    if (!equalsWithin(inPieces, count.amount, 0)) return { field: `${field}.pieces`, why: "pieces" };
  }
  const [first, ...others] = expected
    .filter(
      (method) =>
        !named.has(keyOf(method)) &&
        (method.currency !== undefined || method.methodId === cashMethodId || cash.has(String(method.methodId))),
    )
    .map(({ methodId, currency }) => ({ methodId, ...(currency !== undefined && { currency }) }));
  return first === undefined ? null : { field: "counted", why: "missing", missing: [first, ...others] };
}

/** What was expected beside what was counted. A method that is not counted has no difference. */
export function comparedWith(expected: readonly Expected[], counted: readonly CountedMethod[]): ShiftMethod[] {
  const counts = new Map(counted.map((count) => [keyOf(count), count]));
  const known = expected.map((method): ShiftMethod => {
    const count = counts.get(keyOf(method));
    counts.delete(keyOf(method));
    if (count === undefined) return { ...method, counted: null, difference: null };
    return { ...method, counted: count.amount, difference: subtract(count.amount, method.expected) };
  });
  const others = [...counts.values()].map(({ methodId, currency, amount }): ShiftMethod => ({
    methodId: String(methodId),
    ...(currency !== undefined && { currency }),
    sales: 0,
    tips: 0,
    refunded: 0,
    expected: 0,
    counted: amount,
    difference: amount,
  }));
  return [...known, ...others];
}

/** Whether every counted method is off by no more than the tolerance in pesos. */
export function isWithinTolerance(
  methods: readonly ShiftMethod[],
  tolerance: number,
  currencies: readonly Pick<ForeignCurrency, "code" | "rate">[],
): boolean {
  return methods.every(({ difference, currency }) => {
    if (difference === null) return true;
    const rate = currency === undefined ? 1 : currencies.find(({ code }) => code === currency)?.rate;
    // What the house takes no more has no worth in pesos.
    if (rate === undefined) return difference === 0;
    return Math.abs(toUnits(costOf(difference, rate))) <= toUnits(tolerance);
  });
}

function keyOf({ methodId, currency }: { methodId: string | number; currency?: string | undefined }): string {
  return JSON.stringify([String(methodId), currency]);
}
