import type { StoredLine, TerminalLine } from "@comanda/protocol";

/** The lines of one check of a write: as stored, and as the writer wants them. */
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
 * Which dish (`kitchenLineId`) each requested line is of, by check and line id: the line's own, that of the line of which it
 * is a split, or that of a line of another check of this write that went by its id. A line that is not sent gets a dish when
 * it is split, so that its parts can come together after they were sent. `dishOf` is the dish of a stored line.
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
      // A line may carry the origin of an earlier split along.
      const origin = named ?? ancestors[index]?.get(splitOf) ?? onlyDish(byId.get(splitOf));
      if (origin !== undefined) return origin;
    }
    return onlyDish(byId.get(line.id));
  }

  const found = checks.flatMap(({ requested }, index) =>
    requested.flatMap((line) => {
      const ancestor = ancestorOf(line, index);
      return ancestor === undefined ? [] : [{ index, lineId: line.id, ancestor }];
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

/** The line that an id means, unless it names several dishes. */
function onlyDish(candidates: readonly Ancestor[] = []): Ancestor | undefined {
  const dishes = new Set(candidates.flatMap(({ dish }) => dish ?? []));
  if (dishes.size === 1) return candidates.find(({ dish }) => dish !== undefined);
  return dishes.size === 0 && candidates.length === 1 ? candidates[0] : undefined;
}
