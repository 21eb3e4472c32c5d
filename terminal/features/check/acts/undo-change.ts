import { isActive } from "@comanda/protocol";
import { contentOf, mergeContent, type OrderContent, type Terminal } from "@comanda/terminal";
import { newReference } from "../../../checks/new-check.ts";

/** What an act made of a check; null: it was not there before, or is not any more. */
export interface CheckChange {
  posReference: string;
  before: OrderContent | null;
  after: OrderContent | null;
}

/** The checks as they are now, by reference; null for one that is not there. */
export function contentsOf(terminal: Terminal, references: readonly string[]): Map<string, OrderContent | null> {
  return new Map(
    references.map((posReference) => {
      const order = terminal.order(posReference);
      return [posReference, order === undefined || !isActive(order.snapshot.status) ? null : contentOf(order.snapshot)];
    }),
  );
}

/**
 * The batch that takes an act back: its reverse on what the checks are now, so that what others added meanwhile stays. A
 * check that the act closed comes back under a new reference. Null when somebody has changed the same since.
 */
export function reverseOf(
  changes: readonly CheckChange[],
  now: ReadonlyMap<string, OrderContent | null>,
  hubTime: number,
): { posReference: string; content: OrderContent }[] | null {
  const reversed: { posReference: string; content: OrderContent }[] = [];
  for (const { posReference, before, after } of changes) {
    const current = now.get(posReference) ?? null;
    if (after === null) {
      if (before === null) continue;
      const { checkNumber: _, ticketNumber: __, ...content } = before;
      reversed.push({ posReference: newReference(hubTime), content });
    } else {
      if (current === null) return null;
      const { content, collisions } = mergeContent(after, before ?? { ...after, lines: [], adjustments: [] }, current);
      if (collisions.length > 0) return null;
      reversed.push({ posReference, content: { ...content, ...clearedOf(content, after) } });
    }
  }
  // Checks that get lines before those that they leave, as the library's own moves do.
  return reversed.toSorted((one, other) => (other.content.lines?.length ?? 0) - (one.content.lines?.length ?? 0));
}

/** What the act added and is to go: a check keeps what is not named, so this names the tables and plugins' data as empty. */
function clearedOf(content: OrderContent, { tableIds, pluginData = {} }: OrderContent): OrderContent {
  const added = Object.keys(pluginData).filter((plugin) => content.pluginData?.[plugin] === undefined);
  const cleared = Object.fromEntries(added.map((plugin) => [plugin, {}]));
  return {
    ...(tableIds != null && content.tableIds === undefined && { tableIds: null }),
    ...(added.length > 0 && { pluginData: { ...content.pluginData, ...cleared } }),
  };
}
