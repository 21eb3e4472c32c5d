import { hubLineFieldNames, type Snapshot, type TerminalLine, type TerminalSnapshot } from "@comanda/protocol";
import { isSame } from "@comanda/rules";

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
  "seatedAt",
  "partyId",
  "updatedAt",
  "payments",
  "tenders",
  "fiscal",
  "ncf",
]);
const hubLineFields: ReadonlySet<string> = new Set(hubLineFieldNames);

/** The content of a snapshot; the answer shares nothing with it, so it may be edited. */
export function contentOf(snapshot: Snapshot | OrderContent): OrderContent {
  const content: OrderContent = copyOf(without(snapshot, hubFields));
  if (content.lines !== undefined) content.lines = content.lines.map(plainLine);
  return content;
}

/** A line without what only the hub sets. */
export function plainLine(line: OrderLine): OrderLine {
  return without(line, hubLineFields);
}

export function isHubField(field: string): boolean {
  return hubFields.has(field);
}

export function linesOf(content: OrderContent): OrderLine[] {
  return content.lines ?? [];
}

/**
 * A copy that shares nothing with it. `structuredClone` goes by way of the browser's message format, which on a cheap
 * tablet takes most of a tap on a tile: it copies, or refuses, only what is no plain data.
 */
export function copyOf<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => copyOf(item)) as T;
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const copy = { ...value };
    for (const key of Object.keys(copy) as (keyof T)[]) copy[key] = copyOf(copy[key]);
    return copy;
  }
  return typeof value === "object" || typeof value === "function" ? structuredClone(value) : value;
}

/** Whether two values say the same, whatever the order of their keys. */
export function sameValue(one: unknown, other: unknown): boolean {
  return isSame(one, other, isNothing);
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Whether two lines say the same to the guest; kitchen progress is no difference. */
export function sameLine(one: OrderLine | undefined, other: OrderLine | undefined): boolean {
  if (one === undefined || other === undefined || one === other) return one === other;
  return sameValue(comparableLine(one), comparableLine(other));
}

/** Whether two contents say the same. */
export function sameContent(one: OrderContent, other: OrderContent): boolean {
  return sameValue(comparableContent(one), comparableContent(other));
}

function comparableContent(content: OrderContent): object {
  return { ...without(content, hubFields), lines: linesOf(content).map(comparableLine) };
}

/** An id may be a number here and a string there, and the hub writes out an amount of nothing. */
function comparableLine(line: OrderLine): object {
  return {
    ...without(line, hubLineFields),
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
