import {
  hubFieldNames,
  hubLineFieldNames,
  type Snapshot,
  type TerminalLine,
  type TerminalSnapshot,
} from "@comanda/protocol";
import { isSame, without } from "@comanda/rules";

/**
 * The part of an order that a terminal may write: its snapshot without the fields that only the hub sets. Null and absent
 * fields are equal, and so are empty and absent lists.
 */
export type OrderContent = TerminalSnapshot;
export type OrderLine = TerminalLine;

const hubFields: ReadonlySet<string> = new Set(hubFieldNames);
const hubLineFields: ReadonlySet<string> = new Set(hubLineFieldNames);

/** Returns the content of a snapshot, as a deep copy that may be edited. */
export function contentOf(snapshot: Snapshot | OrderContent): OrderContent {
  const content: OrderContent = copyOf(without(snapshot, hubFields));
  if (content.lines !== undefined) content.lines = content.lines.map(plainLine);
  return content;
}

/** Returns a line without the fields that only the hub sets. */
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
 * Returns a deep copy. `structuredClone` is slow: on a cheap tablet it takes most of the time of a tap on a tile. It is used
 * only for values that are not plain data.
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

/** Whether two values are equal, regardless of key order and of null, absent and empty values. */
export function sameValue(one: unknown, other: unknown): boolean {
  return isSame(one, other, isNothing);
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Whether two lines are equal for the guest, ignoring kitchen progress. */
export function sameLine(one: OrderLine | undefined, other: OrderLine | undefined): boolean {
  if (one === undefined || other === undefined || one === other) return one === other;
  return sameValue(comparableLine(one), comparableLine(other));
}

/** Whether two contents are equal. */
export function sameContent(one: OrderContent, other: OrderContent): boolean {
  return sameValue(comparableContent(one), comparableContent(other));
}

function comparableContent(content: OrderContent): object {
  return { ...without(content, hubFields), lines: linesOf(content).map(comparableLine) };
}

/** Normalizes a line: ids may be numbers or strings, and the hub writes zero amounts explicitly. */
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
