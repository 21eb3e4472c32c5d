import { kitchenFieldNames, type Snapshot, type TerminalLine, type TerminalSnapshot } from "@comanda/protocol";

/**
 * What a terminal may write of an order: its snapshot without what only the hub sets. Null and an absent field mean
 * the same, and so do an empty list and an absent one.
 */
export type OrderContent = TerminalSnapshot;
export type OrderLine = TerminalLine;

const hubFields: ReadonlySet<string> = new Set([
  "posReference",
  "status",
  "version",
  "origin",
  "createdAt",
  "updatedAt",
  "kitchenTickets",
  "payments",
  "tenders",
  "fiscal",
  "ncf",
]);
const kitchenFields: ReadonlySet<string> = new Set(kitchenFieldNames);

/** The content of a snapshot; the answer shares nothing with it, so it may be edited. */
export function contentOf(snapshot: Snapshot | OrderContent): OrderContent {
  const content: OrderContent = structuredClone(without(snapshot, hubFields));
  if (content.lines !== undefined) content.lines = content.lines.map(plainLine);
  return content;
}

/** A line without its kitchen fields. */
export function plainLine(line: OrderLine): OrderLine {
  return without(line, kitchenFields);
}

export function isHubField(field: string): boolean {
  return hubFields.has(field);
}

export function linesOf(content: OrderContent): OrderLine[] {
  return content.lines ?? [];
}

/** Whether two values say the same, whatever the order of their keys. */
export function sameValue(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** Whether two lines say the same to the guest; kitchen progress is no difference. */
export function sameLine(one: OrderLine | undefined, other: OrderLine | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return canonical(comparableLine(one)) === canonical(comparableLine(other));
}

/** Whether two contents say the same. */
export function sameContent(one: OrderContent, other: OrderContent): boolean {
  return canonical(comparableContent(one)) === canonical(comparableContent(other));
}

function comparableContent(content: OrderContent): object {
  return { ...without(content, hubFields), lines: linesOf(content).map(comparableLine) };
}

/** An id may be a number here and a string there, and the hub writes out an amount of nothing. */
function comparableLine(line: OrderLine): object {
  return {
    ...without(line, kitchenFields),
    productId: line.productId === undefined ? undefined : String(line.productId),
    unitPrice: line.unitPrice === 0 ? undefined : line.unitPrice,
    taxIds: line.taxIds?.map(String),
    taxAmount: line.taxAmount === 0 ? undefined : line.taxAmount,
    voided: line.voided === true ? true : undefined,
  };
}

function without<T extends object>(value: T, fields: ReadonlySet<string>): T {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !fields.has(key))) as T;
}

function canonical(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.length === 0 ? "" : `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value)
    .map(([key, item]) => [key, canonical(item)] as const)
    .filter(([, text]) => text !== "")
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
}
