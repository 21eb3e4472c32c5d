import type { ShiftMethod } from "@comanda/protocol";
import { sum } from "@comanda/rules";

/** Sums money by method and currency over several shifts. A method not counted in one of them has no count (null). */
export function sumMethods(shifts: readonly (readonly ShiftMethod[])[]): ShiftMethod[] {
  const found = Map.groupBy(shifts.flat(), ({ methodId, currency = "" }) => `${methodId} ${currency}`);
  return [...found.values()].flatMap((rows): ShiftMethod[] => {
    const [first] = rows;
    if (first === undefined) return [];
    const { methodId, currency } = first;
    // Money counted together with other cash (`withCash`) has no count of its own.
    const heaps = rows.filter(({ withCash }) => withCash === undefined);
    const total = (name: "sales" | "tips" | "refunded" | "foreign" | "expected"): number =>
      sum(rows.map((row) => row[name] ?? 0));
    const compared = (name: "counted" | "difference"): number | null =>
      heaps.length === 0 || heaps.some((row) => row[name] === null) ? null : sum(heaps.map((row) => row[name] ?? 0));
    return [
      {
        methodId,
        ...(currency !== undefined && { currency }),
        sales: total("sales"),
        tips: total("tips"),
        refunded: total("refunded"),
        ...(rows.some(({ foreign }) => foreign !== undefined) && { foreign: total("foreign") }),
        expected: total("expected"),
        counted: compared("counted"),
        difference: compared("difference"),
        ...(heaps.length === 0 && { withCash: true as const }),
      },
    ];
  });
}
