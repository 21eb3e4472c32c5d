import type { OrderType, Snapshot, StoredLine, TerminalLine, TerminalSnapshot } from "@comanda/protocol";
import { toUnits } from "../amounts.ts";
import { fullPrice } from "./extras-of.ts";

/** One of the checks that a mutation writes; `before` is the hub's stored check. */
export interface CheckWrite {
  posReference: string;
  snapshot: Pick<TerminalSnapshot, "lines" | "adjustments" | "orderType" | "tableId">;
  before: Pick<Snapshot, "lines" | "adjustments" | "orderType" | "tableId"> | undefined;
}

export type Line = TerminalLine | StoredLine;

export interface Origin {
  posReference: string;
  line: StoredLine;
  orderType: OrderType;
}

export type Origins = ReturnType<typeof findOrigins>;

/** Finds the previous line that each line was or was split from, and the root of a chain of splits. */
export function findOrigins(checks: readonly CheckWrite[]) {
  const linesOf = new Map<string, Map<string, Origin>>();
  const anywhere = new Map<string, Origin>();
  for (const { posReference, before } of checks) {
    const lines = new Map<string, Origin>();
    for (const line of before?.lines ?? []) {
      const origin = { posReference, line, orderType: before?.orderType ?? "dine_in" };
      lines.set(line.id, origin);
      const other = anywhere.get(line.id);
      // Of two lines with the same id, the more expensive one counts, so that it cannot be passed off as the cheaper.
      if (other === undefined || fullPrice(other.line) < fullPrice(line)) anywhere.set(line.id, origin);
    }
    linesOf.set(posReference, lines);
  }
  function wholeOf(posReference: string, { splitOf, splitFrom }: Line): Origin | undefined {
    if (splitOf === undefined) return undefined;
    const [from, own] = [linesOf.get(splitFrom ?? posReference), linesOf.get(posReference)];
    return from?.get(splitOf) ?? own?.get(splitOf) ?? anywhere.get(splitOf);
  }
  function originOf({ posReference }: CheckWrite, line: Line): Origin | undefined {
    const own = linesOf.get(posReference)?.get(line.id);
    const [whole, moved] = [wholeOf(posReference, line), anywhere.get(line.id)];
    // A part that moves on costs what it did itself: the rest of its dish may have become dearer since.
    const isPart = moved && moved.line.kitchenLineId === whole?.line.kitchenLineId;
    return own ?? (isPart ? moved : (whole ?? moved));
  }
  function rootOf(check: CheckWrite, line: Line): Origin | undefined {
    const visited = new Set<Origin>();
    let root = originOf(check, line);
    for (let next = root; next !== undefined && !visited.has(next); next = wholeOf(next.posReference, next.line)) {
      visited.add(next);
      root = next;
    }
    return root;
  }
  return { originOf, rootOf };
}

/**
 * Returns whether a line has some of an amount, and the lines with the same root have more of it in total than before.
 * Splitting a line or joining its parts therefore does not count as an increase.
 */
export function findRaised(checks: readonly CheckWrite[], { rootOf }: Origins, amount: (line: Line) => number) {
  const more = new Map<Origin | undefined, number>();
  const add = (check: CheckWrite, line: Line, sign: 1 | -1): void => {
    const has = amount(line);
    // Fast path: this runs for every write, and most lines have none.
    if (has === 0) return;
    const root = rootOf(check, line);
    more.set(root, (more.get(root) ?? 0) + sign * toUnits(has));
  };
  for (const check of checks) {
    const { snapshot, before } = check;
    for (const line of before?.lines ?? []) add(check, line, -1);
    for (const line of snapshot.lines ?? before?.lines ?? []) add(check, line, 1);
  }
  return (check: CheckWrite, line: Line): boolean => amount(line) > 0 && (more.get(rootOf(check, line)) ?? 0) > 0;
}

export function orderTypeOf({ snapshot, before }: CheckWrite): OrderType {
  return snapshot.orderType ?? before?.orderType ?? "dine_in";
}
