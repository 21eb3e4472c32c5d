import { crc32 } from "node:zlib";
import { StoredOrder } from "@comanda/protocol";
import { parseColumn } from "../../db/rows/parse-column.ts";

/** A version's content as it is stored. */
export interface Body {
  body: string;
  checksum: number;
}

/** The JSON of a version that a statement names `v`. */
export const BODY = "plain(v.body, v.packed)";

/** Called for a body that does not match its checksum, or, with a text, for one that no reader could make sense of. */
export type OnDamage = (what?: string) => void;

export function isSoundBody(row: Body, onDamage: OnDamage): boolean {
  if (crc32(row.body) === row.checksum) return true;
  onDamage();
  return false;
}

/** The order of a body. Money depends on these rows: a body whose bits flipped throws, it is never an answer. */
export function readBody(row: Body, onDamage: OnDamage): StoredOrder {
  if (isSoundBody(row, onDamage)) return JSON.parse(row.body) as StoredOrder;
  throw new Error("a stored order does not match its checksum");
}

/** The order of a body as a list shows it; null for one that is none, so that the others are shown all the same. */
export function readShowableBody(row: Body, onDamage: OnDamage): StoredOrder | null {
  if (!isSoundBody(row, onDamage)) return null;
  const order = parseColumn<unknown>(row.body, null);
  if (StoredOrder.safeParse(order).success) return order as StoredOrder;
  onDamage(`a stored order cannot be shown: ${row.body.slice(0, 160)}`);
  return null;
}
