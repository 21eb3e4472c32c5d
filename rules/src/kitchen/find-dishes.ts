import type { StoredLine, TerminalLine } from "@comanda/protocol";
import { isWithKitchen } from "./line-quantities.ts";

/** The lines of one check in a write: as stored, and as requested. */
export interface CheckLines {
  posReference: string;
  stored: readonly StoredLine[];
  requested: readonly TerminalLine[];
}

interface Ancestor {
  line: StoredLine;
  dish: string | undefined;
}

/**
 * Returns whether a line names another product than the stored line that it was. A line without a product may get one until it
 * is sent.
 */
export function hasOtherProduct({ productId }: TerminalLine | StoredLine, stored: StoredLine): boolean {
  if (productId === undefined) return false;
  if (stored.productId === undefined) return isWithKitchen(stored);
  return String(productId) !== String(stored.productId);
}

/**
 * Finds the dish (`kitchenLineId`) of each requested line, by check and line id. It is the dish of the stored line itself, of
 * the line that it was split off, or of a line with the same id on another check of the write. Another product is another dish.
 * An unsent line gets a dish when it is split, so that its parts can be joined after they are sent. `dishOf` returns the dish
 * of a stored line.
 */
export function findDishes(
  checks: readonly CheckLines[],
  dishOf: (posReference: string, line: StoredLine) => string | undefined,
  newId: () => string,
): Map<string, string>[] {
  const ancestors = checks.map(
    ({ posReference, stored }) =>
      new Map(stored.map((line): [string, Ancestor] => [line.id, { line, dish: dishOf(posReference, line) }])),
  );
  const byId = Map.groupBy(
    ancestors.flatMap((lines) => [...lines.values()]),
    ({ line }) => line.id,
  );
  const indexOf = new Map(checks.map(({ posReference }, index) => [posReference, index]));

  function ancestorOf(line: TerminalLine, index: number): Ancestor | undefined {
    const own = ancestors[index]?.get(line.id);
    if (own !== undefined) return own;
    const { splitOf, splitFrom } = line;
    if (splitOf !== undefined) {
      const named = splitFrom === undefined ? undefined : ancestors[indexOf.get(splitFrom) ?? -1]?.get(splitOf);
      // `splitOf` may date from an earlier split, so it need not be found here.
      const origin = named ?? ancestors[index]?.get(splitOf) ?? onlyDish(byId.get(splitOf));
      if (origin !== undefined) return origin;
    }
    return onlyDish(byId.get(line.id));
  }

  const found = checks.flatMap(({ requested }, index) =>
    requested.flatMap((line) => {
      const ancestor = ancestorOf(line, index);
      return ancestor === undefined || hasOtherProduct(line, ancestor.line)
        ? []
        : [{ index, lineId: line.id, ancestor }];
    }),
  );
  for (const [ancestor, parts] of Map.groupBy(found, (each) => each.ancestor)) {
    if (parts.length > 1) ancestor.dish ??= newId();
  }
  const dishes = checks.map(() => new Map<string, string>());
  for (const { index, lineId, ancestor } of found) {
    if (ancestor.dish !== undefined) dishes[index]?.set(lineId, ancestor.dish);
  }
  return dishes;
}

/** Returns the line that an id refers to, unless that is ambiguous between several dishes. */
function onlyDish(candidates: readonly Ancestor[] = []): Ancestor | undefined {
  const dishes = new Set(candidates.flatMap(({ dish }) => dish ?? []));
  if (dishes.size === 1) return candidates.find(({ dish }) => dish !== undefined);
  return dishes.size === 0 && candidates.length === 1 ? candidates[0] : undefined;
}
