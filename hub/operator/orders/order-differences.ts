import type { OrderDifference, Snapshot, StoredLine } from "@comanda/protocol";

type Value = string | number | boolean | null;

/** Fields that are left out: they differ with every version, or are compared line by line. */
const untoldFields: ReadonlySet<string> = new Set(["updatedAt", "lines", "posReference", "createdAt", "seatedAt"]);

/** The differences of a version to the previous one, the most telling first. */
export function orderDifferences(before: Snapshot, after: Snapshot): OrderDifference[] {
  return [...fieldDifferences(before, after), ...lineDifferences(before.lines, after.lines)];
}

function fieldDifferences(before: Snapshot, after: Snapshot): OrderDifference[] {
  return changedFields(before, after)
    .filter(({ field }) => !untoldFields.has(field))
    .map((change) => ({ kind: "field", ...change }));
}

function lineDifferences(before: readonly StoredLine[], after: readonly StoredLine[]): OrderDifference[] {
  const known = new Map(before.map((line) => [line.id, line]));
  const kept = new Set(after.map((line) => line.id));
  const changed = after.flatMap((line): OrderDifference[] => {
    const was = known.get(line.id);
    if (was === undefined) return [{ kind: "line_added", ...wholeLine(line) }];
    return changedFields(was, line).map((change) => ({
      kind: "line_changed",
      ...naming(line),
      ...change,
      ...(change.field === "voided" && { quantity: line.quantity }),
    }));
  });
  const gone = before
    .filter((line) => !kept.has(line.id))
    .map((line): OrderDifference => ({ kind: "line_removed", ...wholeLine(line) }));
  return [...changed, ...gone];
}

function changedFields(before: Record<string, unknown>, after: Record<string, unknown>) {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.flatMap((field) => {
    const change = { field, before: scalar(before[field]), after: scalar(after[field]) };
    return change.before === change.after ? [] : [change];
  });
}

function scalar(value: unknown): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return JSON.stringify(value);
}

function naming(line: StoredLine) {
  const name = line["name"];
  const productId = line.productId === undefined ? null : String(line.productId);
  return { lineId: line.id, productId, ...(typeof name === "string" && { name }) };
}

/** A line as a difference tells it. */
export function wholeLine(line: StoredLine) {
  const { quantity, total = null, splitOf, splitFrom, menuCheck } = line;
  const modifiers = modifierNames(line["modifiers"]);
  return {
    ...naming(line),
    quantity,
    total,
    ...(modifiers.length > 0 && { modifiers }),
    ...(splitOf !== undefined && { splitOf }),
    ...(splitFrom !== undefined && { splitFrom }),
    ...(menuCheck !== undefined && { menuCheck }),
  };
}

/** What a terminal has put there is not checked: names are taken from what has one. */
function modifierNames(modifiers: unknown): string[] {
  if (!Array.isArray(modifiers)) return [];
  return modifiers.flatMap((modifier: unknown) => {
    const name = typeof modifier === "object" && modifier !== null && "name" in modifier ? modifier.name : modifier;
    return typeof name === "string" ? [name] : [];
  });
}
