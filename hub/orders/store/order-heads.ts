import type { Db } from "../../db/open.ts";
import { BODY, type Body } from "./stored-body.ts";

/** The newest content of an order with its forward state. */
export interface BodyRow extends Body, BodyHead {}

/** The row id of an order's newest version, whose body never changes, and the forward state of the order. */
export interface BodyHead {
  id: number;
  forward: string;
}

export interface OrderHead {
  posReference: string;
  version: number;
}

/** Returns SQL for the newest bodies of orders; `o` is the alias of the orders. */
function selectBody(orders: string): string {
  return `SELECT v.id AS id, ${BODY} AS body, v.checksum AS checksum, o.forward AS forward
    FROM ${orders} o JOIN order_versions v ON v.id = o.body_id`;
}

/** Active orders. Without the index hint the planner may scan all orders to get them sorted. */
const ACTIVE_ORDERS = "orders INDEXED BY order_active";

/** Returns SQL for active orders and those finished since `since`, as a union: with `OR` the planner would scan all orders. */
const currentOrders = (since: string): string => `(
  SELECT body_id, forward, seq, pos_reference FROM ${ACTIVE_ORDERS} WHERE is_active = 1
  UNION ALL SELECT body_id, forward, seq, pos_reference FROM orders INDEXED BY order_resting
  WHERE is_active = 0 AND packing IN (0, 1, 2, 3, 4) AND updated_at >= ${since})`;

/** Finds the newest versions of orders: active ones, those of a table, and those changed since a seq. */
export function createOrderHeads(db: Db) {
  const get = db.prepare<[string], BodyRow>(`${selectBody("orders")} WHERE o.pos_reference = ?`);
  // Orders with this main table, and the few that have joined it to theirs.
  const listActiveOnTable = db.prepare<{ tableId: number }, { posReference: string; checkNumber: number | null }>(`
    SELECT pos_reference AS posReference, check_number AS checkNumber, seq FROM orders
    WHERE table_id = @tableId AND is_active = 1
    UNION ALL
    SELECT o.pos_reference, o.check_number, o.seq
    FROM joined_tables j JOIN orders o ON o.pos_reference = j.pos_reference
    WHERE j.table_id = @tableId
    ORDER BY seq`);
  const listActiveHeads = db.prepare<[], OrderHead>(
    `SELECT pos_reference AS posReference, version FROM ${ACTIVE_ORDERS} WHERE is_active = 1 ORDER BY seq DESC`,
  );
  const countActive = db.prepare<[], number>(`SELECT count(*) FROM ${ACTIVE_ORDERS} WHERE is_active = 1`).pluck();
  const countActiveByOrigin = db
    .prepare<[string], number>(
      `SELECT count(*) FROM ${ACTIVE_ORDERS} JOIN order_versions v ON v.id = body_id WHERE is_active = 1 AND v.origin = ?`,
    )
    .pluck();
  // SQLite stores the length in the row header, so this does not read the bodies.
  const activeBytesByOrigin = db
    .prepare<[string], number | null>(
      `SELECT sum(octet_length(v.body)) FROM ${ACTIVE_ORDERS} JOIN order_versions v ON v.id = body_id
       WHERE is_active = 1 AND v.origin = ?`,
    )
    .pluck();
  const countChanged = db
    .prepare<{ seq: number; limit: number }, number>(
      "SELECT count(*) FROM (SELECT 1 FROM orders WHERE seq > @seq LIMIT @limit)",
    )
    .pluck();
  const listCurrentHeads = db.prepare<[number], BodyHead>(
    `SELECT o.body_id AS id, o.forward AS forward FROM ${currentOrders("?")} o ORDER BY o.seq`,
  );
  const listChangedHeads = db.prepare<[number], BodyHead>(
    "SELECT o.body_id AS id, o.forward AS forward FROM orders o WHERE o.seq > ? ORDER BY o.seq",
  );
  const getBody = db.prepare<[number], { body: string; checksum: number }>(
    `SELECT ${BODY} AS body, v.checksum AS checksum FROM order_versions v WHERE v.id = ?`,
  );
  const listNamedSince = db
    .prepare<{ texts: string; since: number }, string>(
      `SELECT o.pos_reference FROM (
         SELECT body_id, pos_reference FROM ${ACTIVE_ORDERS} WHERE is_active = 1
         UNION ALL SELECT body_id, pos_reference FROM orders WHERE seq >= @since AND is_active = 0) o
       JOIN order_versions v ON v.id = o.body_id WHERE EXISTS (SELECT 1 FROM json_each(@texts) WHERE instr(${BODY}, value))`,
    )
    .pluck();
  const countCurrent = db.prepare<[number], number>(`SELECT count(*) FROM ${currentOrders("?")}`).pluck();

  return {
    get: (posReference: string): BodyRow | null => get.get(posReference) ?? null,

    /** Active orders on a table, oldest change first. */
    listActiveOnTable: (tableId: number) => listActiveOnTable.all({ tableId }),
    /** The number of active orders that `origin` wrote last. */
    countActiveByOrigin: (origin: string): number => countActiveByOrigin.get(origin) ?? 0,
    activeBytesByOrigin: (origin: string): number => activeBytesByOrigin.get(origin) ?? 0,
    /** The newest version of each active order, newest activity first. */
    listActiveHeads: (): OrderHead[] => listActiveHeads.all(),
    countActive: (): number => countActive.get() ?? 0,

    /** The newest versions of orders that changed after `seq`, oldest change first. */
    listChangedHeads: (seq: number): BodyHead[] => listChangedHeads.all(seq),
    /** How many orders changed after `seq`, counted up to `limit`. */
    countChanged: (seq: number, limit: number): number => countChanged.get({ seq, limit }) ?? 0,
    /** Whether more than `limit` orders changed after `seq`. */
    hasChangedMore: (seq: number, limit: number): boolean => (countChanged.get({ seq, limit: limit + 1 }) ?? 0) > limit,
    /** The newest versions of active orders and of those finished since `updatedSince` (ms since 1970). */
    listCurrentHeads: (updatedSince: number): BodyHead[] => listCurrentHeads.all(updatedSince),
    /** Active orders, and those changed since the seq `since`, that contain one of these names (such as a line id). */
    listNamedSince: (names: readonly string[], since: number): string[] =>
      listNamedSince.all({ texts: JSON.stringify(names.map((name) => JSON.stringify(name))), since }),
    /** Reads the body of a version; null if the version is missing. */
    getBody(head: BodyHead): BodyRow | null {
      const row = getBody.get(head.id);
      return row === undefined ? null : { ...head, ...row };
    },
    countCurrent: (updatedSince: number): number => countCurrent.get(updatedSince) ?? 0,
  };
}
