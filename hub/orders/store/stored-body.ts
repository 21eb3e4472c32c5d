import { crc32 } from "node:zlib";
import { StoredOrder } from "@comanda/protocol";
import { parseColumn } from "../../db/rows/parse-column.ts";

/** The stored content of a version. */
export interface Body {
  body: string;
  checksum: number;
}

/** SQL for the JSON of a version with the alias `v`. */
export const BODY = "plain(v.body, v.packed)";

/** Called without an argument for a body that does not match its checksum, with a description for one that cannot be parsed. */
export type OnDamage = (description?: string) => void;

export function isSoundBody(row: Body, onDamage: OnDamage): boolean {
  if (crc32(row.body) === row.checksum) return true;
  onDamage();
  return false;
}

/** Parses a body. Throws if it does not match its checksum: money depends on it, so damaged content is never returned. */
export function readBody(row: Body, onDamage: OnDamage): StoredOrder {
  if (isSoundBody(row, onDamage)) return JSON.parse(row.body) as StoredOrder;
  throw new Error("a stored order does not match its checksum");
}

/** Parses a body for display in a list; null if it is damaged or invalid, so that the other orders are still shown. */
export function readShowableBody(row: Body, onDamage: OnDamage): StoredOrder | null {
  if (!isSoundBody(row, onDamage)) return null;
  const order = parseColumn<unknown>(row.body, null);
  if (StoredOrder.safeParse(order).success) return order as StoredOrder;
  onDamage(`a stored order cannot be shown: ${row.body.slice(0, 160)}`);
  return null;
}
