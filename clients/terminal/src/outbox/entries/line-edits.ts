import { withLines } from "../../orders/edit-content.ts";
import { linesOf, sameValue, type OrderContent, type OrderLine } from "../../orders/order-content.ts";
import type { ContentChange } from "./outbox-entry.ts";

/** Another form of lines; null takes one out. */
export type LineEdits = Map<OrderLine, OrderLine | null>;

/** The changes with other forms of their lines, before and after. */
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

/** The line as it is now, with what the change itself says of it otherwise. */
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
