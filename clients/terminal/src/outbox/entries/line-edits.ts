import { withLines } from "../../orders/edit-content.ts";
import { linesOf, sameValue, type OrderContent, type OrderLine } from "../../orders/order-content.ts";
import type { ContentChange } from "./outbox-entry.ts";

/** Replacements of lines; null removes a line. */
export type LineEdits = Map<OrderLine, OrderLine | null>;

/** Replaces lines in the changes, in both `base` and `next`. */
export function editLines(changes: readonly ContentChange[], edits: LineEdits): readonly ContentChange[] {
  return changes.map((change) => {
    const { base, next } = change;
    return { ...change, base: base === null ? null : edited(base, edits), next: edited(next, edits) };
  });
}

function edited(content: OrderContent, edits: LineEdits): OrderContent {
  const lines = linesOf(content).flatMap((line) => {
    const edit = edits.get(line);
    return edit === undefined ? [line] : (edit ?? []);
  });
  return withLines(content, lines);
}

/** Returns the current line, with the fields that the change itself has modified. */
export function withOwn(now: OrderLine, line: OrderLine, origin: OrderLine): OrderLine {
  const own = Object.entries(line).filter(([field, value]) => !amounts.has(field) && !sameValue(value, origin[field]));
  return { ...now, ...Object.fromEntries(own) };
}

const amounts: ReadonlySet<string> = new Set([
  "quantity",
  "voidedQuantity",
  "unitPrice",
  "total",
  "taxAmount",
  "taxIds",
  "discount",
]);

export function lineIn<T extends { id: string }>(
  content: { lines?: readonly T[] | undefined } | null | undefined,
  lineId: string | undefined,
): T | undefined {
  return content?.lines?.find(({ id }) => id === lineId);
}

/** Whether the changes move, split or join a line, instead of only modifying it. */
export function isCarried({ id, splitOf }: OrderLine, changes: readonly ContentChange[]): boolean {
  const isNew = changes.some(({ base, next }) =>
    linesOf(next).some((line) => (line.id === id || line.splitOf === id) && lineIn(base, line.id) === undefined),
  );
  const stays = (lineId: string): boolean => changes.some(({ next }) => lineIn(next, lineId) !== undefined);
  const grows = (lineId: string | undefined): boolean =>
    changes.some(
      ({ base, next }) => (lineIn(next, lineId)?.quantity ?? 0) > (lineIn(base, lineId)?.quantity ?? Infinity),
    );
  const isPartOfIt = (line: OrderLine): boolean => line.splitOf === id && !stays(line.id);
  const isJoined = grows(id) && changes.some(({ base }) => linesOf(base ?? {}).some(isPartOfIt));
  return isNew || isJoined || (!stays(id) && grows(splitOf));
}
