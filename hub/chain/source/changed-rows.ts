import type { Db } from "../../db/open.ts";
import { soundRow } from "../../db/integrity/sealed-tables.ts";
import type { BodyRow } from "../../orders/store/order-heads.ts";
import { BODY, type Body } from "../../orders/store/stored-body.ts";
import type { ChainHead } from "./chain-source.ts";

export interface RemovalRow extends Body {
  posReference: string;
  version: number;
  reason: string | null;
  mergedInto: string | null;
  removedAt: number;
}

/** Each branch reads in index order: the first rows are found without reading the rest. */
const CHANGED = `
  SELECT 'orders' AS kind, seq, pos_reference AS key FROM orders WHERE seq > @seq
  UNION ALL SELECT 'removed', seq, pos_reference FROM removed_orders WHERE seq > @seq
  UNION ALL SELECT 'tables', seq, table_id FROM tables WHERE seq > @seq
  UNION ALL SELECT 'items', seq, product_id FROM item_states WHERE seq > @seq
  ORDER BY seq LIMIT @limit`;

const EVERYTHING = `
  SELECT 'orders' AS kind, seq, pos_reference AS key FROM orders INDEXED BY order_active WHERE is_active = 1
  UNION ALL SELECT 'orders', seq, pos_reference FROM orders INDEXED BY order_resting
    WHERE is_active = 0 AND packing IN (0, 1, 2, 3, 4) AND updated_at >= @since
  UNION ALL SELECT 'removed', seq, pos_reference FROM removed_orders INDEXED BY removed_order_resting
    WHERE packing IN (0, 1, 2, 3, 4) AND removed_at >= @since
  UNION ALL SELECT 'tables', seq, table_id FROM tables
  UNION ALL SELECT 'items', seq, product_id FROM item_states
  ORDER BY seq`;

/** Reads what has a `seq` and is sent to headquarters, across the tables that hold it. */
export function createChangedRows(db: Db) {
  const changed = db.prepare<{ seq: number; limit: number }, ChainHead>(CHANGED);
  const listAll = db.prepare<{ since: number }, ChainHead>(EVERYTHING);
  const newest = db
    .prepare<[], number | null>(`
      SELECT max(coalesce((SELECT max(seq) FROM orders), 0), coalesce((SELECT max(seq) FROM removed_orders), 0),
        coalesce((SELECT max(seq) FROM tables), 0), coalesce((SELECT max(seq) FROM item_states), 0))`)
    .pluck();
  const order = db.prepare<{ key: string; seq: number }, BodyRow>(`
    SELECT v.id AS id, ${BODY} AS body, v.checksum AS checksum, o.forward AS forward
    FROM orders o JOIN order_versions v ON v.id = o.body_id WHERE o.pos_reference = @key AND o.seq = @seq`);
  const removal = db.prepare<{ key: string; seq: number }, RemovalRow>(`
    SELECT r.pos_reference AS posReference, r.version, r.reason, r.merged_into AS mergedInto, r.removed_at AS removedAt,
      ${BODY} AS body, v.checksum AS checksum
    FROM removed_orders r JOIN order_versions v ON v.id = r.last_id
    WHERE r.pos_reference = @key AND r.seq = @seq`);
  const tableSeq = db.prepare<[number], number>("SELECT seq FROM tables WHERE table_id = ?").pluck();
  const item = db
    .prepare<{ key: string; seq: number }, string>(
      `SELECT body FROM item_states WHERE product_id = @key AND seq = @seq AND ${soundRow(db, "item_states")}`,
    )
    .pluck();

  return {
    newestSeq: (): number => newest.get() ?? 0,
    listChangedAfter: (seq: number, limit: number): ChainHead[] => changed.all({ seq, limit }),
    listAll: (since: number): ChainHead[] => listAll.all({ since }),
    order: (key: string, seq: number): BodyRow | null => order.get({ key, seq }) ?? null,
    removal: (key: string, seq: number): RemovalRow | null => removal.get({ key, seq }) ?? null,
    tableSeq: (tableId: number): number | null => tableSeq.get(tableId) ?? null,
    item: (key: string, seq: number): string | null => item.get({ key, seq }) ?? null,
  };
}
