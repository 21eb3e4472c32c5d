import type { Database } from "better-sqlite3";

/**
 * What lets a data file serve for years. `packing` says how an order's versions are stored: 0 as they were written,
 * 1 packed, 2 packed and thinned. A packed version has '' as its body: `packed` is that body compressed (zstd), and
 * `earlier` the versions before it, which have no rows of their own any more. Discarded orders are found by columns of
 * their own, as others are.
 */
export function migrate(db: Database): void {
  db.exec(`
    ALTER TABLE order_versions ADD COLUMN packed BLOB;
    ALTER TABLE order_versions ADD COLUMN earlier BLOB;

    ALTER TABLE orders ADD COLUMN packing INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX order_resting ON orders (packing, updated_at) WHERE is_active = 0;
    -- Orders whose forwarding waits for a person, among all that ever were.
    CREATE INDEX order_attention ON orders (seq) WHERE substr(forward, 1, 20) = '{"state":"attention"';

    ALTER TABLE removed_orders ADD COLUMN packing INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE removed_orders ADD COLUMN search_text TEXT NOT NULL DEFAULT '';
    ALTER TABLE removed_orders ADD COLUMN check_number INTEGER;
    ALTER TABLE removed_orders ADD COLUMN table_id INTEGER;
    ALTER TABLE removed_orders ADD COLUMN order_type TEXT NOT NULL DEFAULT '';
    CREATE INDEX removed_order_resting ON removed_orders (packing, removed_at);

    CREATE INDEX unapplied_payment_by_reference ON unapplied_payments (pos_reference);
    -- A removed record leaves a row behind; these are the others.
    CREATE INDEX plugin_record_live ON plugin_records (plugin_id, key) WHERE is_removed = 0;

    CREATE INDEX kitchen_ticket_by_reference ON kitchen_tickets (pos_reference);

    -- What was paid when, for the totals of the session; they must not depend on versions that are packed.
    CREATE TABLE takings (
      at INTEGER NOT NULL,
      pos_reference TEXT NOT NULL,
      total REAL NOT NULL,
      payments TEXT NOT NULL,
      PRIMARY KEY (at, pos_reference)
    ) STRICT, WITHOUT ROWID;
    -- Of what was paid before this update the present session is all that anybody asks for.
    INSERT OR REPLACE INTO takings (at, pos_reference, total, payments)
      SELECT at, pos_reference, CAST(coalesce(body ->> '$.snapshot.totals.total', 0) AS REAL),
        coalesce(body -> '$.snapshot.payments', '[]')
      FROM order_versions
      WHERE kind = 'paid' AND at >= (SELECT at FROM remembered WHERE name = 'sessionSince') AND json_valid(body);
    DROP INDEX order_version_paid;

    -- A damaged body has nothing to be found by but its reference.
    UPDATE removed_orders SET (search_text, check_number, table_id, order_type) = (
      SELECT lower(concat_ws(char(10), removed_orders.pos_reference, body ->> '$.snapshot.ticketNumber',
          body ->> '$.snapshot.customerName', body ->> '$.snapshot.staffName')),
        body ->> '$.snapshot.checkNumber', body ->> '$.tableId', coalesce(body ->> '$.snapshot.orderType', '')
      FROM (SELECT (SELECT CASE WHEN json_valid(v.body) THEN v.body END FROM order_versions v
        WHERE v.id = removed_orders.last_id) AS body));
  `);
}
