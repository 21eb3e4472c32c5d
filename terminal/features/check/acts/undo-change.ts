import { isActive } from "@comanda/protocol";
import { contentOf, mergeContent, type OrderContent, type Terminal } from "@comanda/terminal";
import { newReference } from "../../../checks/new-check.ts";

/** How an act changed a check; null where the check did not exist or was closed. */
export interface CheckChange {
  posReference: string;
  before: OrderContent | null;
  after: OrderContent | null;
}

/** Returns the current content of checks by reference; null for a check that is closed or missing. */
export function contentsOf(terminal: Terminal, references: readonly string[]): Map<string, OrderContent | null> {
  return new Map(
    references.map((posReference) => {
      const order = terminal.order(posReference);
      return [posReference, order === undefined || !isActive(order.snapshot.status) ? null : contentOf(order.snapshot)];
    }),
  );
}

/**
 * Returns the batch that undoes an act on the current state of its checks, so that later additions stay. A check that the act
 * closed is restored under a new reference. Returns null if the same content was changed since.
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
  // Checks that gain lines come before those that lose them, as in the library's moves.
  return reversed.toSorted((one, other) => (other.content.lines?.length ?? 0) - (one.content.lines?.length ?? 0));
}

/** Returns empty values for the tables and plugin data that the act added: the hub keeps what a content does not mention. */
function clearedOf(content: OrderContent, { tableIds, pluginData = {} }: OrderContent): OrderContent {
  const added = Object.keys(pluginData).filter((plugin) => content.pluginData?.[plugin] === undefined);
  const cleared = Object.fromEntries(added.map((plugin) => [plugin, {}]));
  return {
    ...(tableIds != null && content.tableIds === undefined && { tableIds: null }),
    ...(added.length > 0 && { pluginData: { ...content.pluginData, ...cleared } }),
  };
}
