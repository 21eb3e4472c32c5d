import type { CountedMethod, ForeignCurrency, ShiftMethod, UncountedMethod } from "@comanda/protocol";
import { costOf, equalsWithin, subtract, sum, toUnits } from "../money/amounts.ts";
import { heapOf, type ShiftCash } from "./shift-money.ts";

/** Why a count is invalid. Reveals nothing of the expected amounts. */
export type CountProblem =
  | { field: string; why: "twice" | "pieces" }
  | { field: string; why: "missing"; missing: [UncountedMethod, ...UncountedMethod[]] };

type Expected = Omit<ShiftMethod, "counted" | "difference">;

/**
 * Returns why a count is invalid, or null: a method is named twice, its pieces do not add up, or cash is missing, be it in
 * pesos or in a currency that the shift had.
 */
export function problemOfCount(
  counted: readonly CountedMethod[],
  expected: readonly Expected[],
  cash: ShiftCash,
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
  const counts = amountsByHeap(counted, cash);
  const [first, ...others] = expected
    .filter(
      ({ methodId, currency, withCash }) =>
        withCash === undefined &&
        !counts.has(keyOf({ methodId, currency })) &&
        (currency !== undefined || methodId === cash.cashMethodId),
    )
    .map(({ methodId, currency }) => ({ methodId, ...(currency !== undefined && { currency }) }));
  return first === undefined ? null : { field: "counted", why: "missing", missing: [first, ...others] };
}

/** Compares the expected with the counted amounts. A method that was not counted has no difference. */
export function comparedWith(
  expected: readonly Expected[],
  counted: readonly CountedMethod[],
  cash: ShiftCash,
): ShiftMethod[] {
  const counts = amountsByHeap(counted, cash);
  const compared = expected.map((method): ShiftMethod => {
    const count = counts.get(keyOf(method));
    counts.delete(keyOf(method));
    if (count === undefined) return { ...method, counted: null, difference: null };
    return { ...method, counted: count.amount, difference: subtract(count.amount, method.expected) };
  });
  const others = [...counts.values()].map(({ methodId, currency, amount }): ShiftMethod => ({
    methodId,
    ...(currency !== undefined && { currency }),
    sales: 0,
    tips: 0,
    refunded: 0,
    expected: 0,
    counted: amount,
    difference: amount,
  }));
  return [...compared, ...others];
}

/** Returns whether every counted method is off by at most the tolerance, in pesos. */
export function isWithinTolerance(
  methods: readonly ShiftMethod[],
  tolerance: number,
  currencies: readonly Pick<ForeignCurrency, "code" | "rate">[],
): boolean {
  return methods.every(({ difference, currency }) => {
    if (difference === null) return true;
    const rate = currency === undefined ? 1 : currencies.find(({ code }) => code === currency)?.rate;
    // A currency that is no longer accepted has no value in pesos.
    if (rate === undefined) return difference === 0;
    return Math.abs(toUnits(costOf(difference, rate))) <= toUnits(tolerance);
  });
}

/** Sums up counted cash, which is one amount even if it was counted by several methods. */
function amountsByHeap(counted: readonly CountedMethod[], cash: ShiftCash) {
  const heaps = new Map<string, { methodId: string; currency: string | undefined; amount: number }>();
  for (const { methodId, currency, amount } of counted) {
    const heap = { methodId: heapOf({ methodId, currency }, cash), currency };
    const before = heaps.get(keyOf(heap))?.amount ?? 0;
    heaps.set(keyOf(heap), { ...heap, amount: sum([before, amount]) });
  }
  return heaps;
}

function keyOf({ methodId, currency }: { methodId: string | number; currency?: string | undefined }): string {
  return JSON.stringify([String(methodId), currency]);
}
