import type { Db } from "../../db/open.ts";
import { BODY, type Body } from "./stored-body.ts";

/** The newest content of an order with its forward state. */
export interface BodyRow extends Body, BodyHead {}

/** The row of an order's newest version, whose body never changes, and where the order stands on its way to the back-office. */
export interface BodyHead {
  id: number;
  forward: string;
}

export interface OrderHead {
  posReference: string;
  version: number;
}

/** The newest bodies of orders, which are named `o`. */
function selectBody(orders: string): string {
  return `SELECT v.id AS id, ${BODY} AS body, v.checksum AS checksum, o.forward AS forward
    FROM ${orders} o JOIN order_versions v ON v.id = o.body_id`;
}

/** The few orders that are active: left to itself the planner may walk all there are, to have them in their order. */
const ACTIVE_ORDERS = "orders INDEXED BY order_active";

/** Those and what was finished since then, as two short lists: by `OR` the planner would walk all there are. */
const currentOrders = (since: string): string => `(
  SELECT body_id, forward, seq, pos_reference FROM ${ACTIVE_ORDERS} WHERE is_active = 1
  UNION ALL SELECT body_id, forward, seq, pos_reference FROM orders INDEXED BY order_resting
  WHERE is_active = 0 AND packing IN (0, 1, 2, 3, 4) AND updated_at >= ${since})`;

/** Which version of which order is the newest: the active ones, those of a table, and what changed since. */
export function createOrderHeads(db: Db) {
  const get = db.prepare<[string], BodyRow>(`${selectBody("orders")} WHERE o.pos_reference = ?`);
  // Beside the orders whose main table it is, the few that have joined it to theirs.
  const activeOnTable = db.prepare<{ tableId: number }, { posReference: string; checkNumber: number | null }>(`
    SELECT pos_reference AS posReference, check_number AS checkNumber, seq FROM orders
    WHERE table_id = @tableId AND is_active = 1
    UNION ALL
    SELECT o.pos_reference, o.check_number, o.seq
    FROM joined_tables j JOIN orders o ON o.pos_reference = j.pos_reference
    WHERE j.table_id = @tableId
    ORDER BY seq`);
  const activeHeads = db.prepare<[], OrderHead>(
    `SELECT pos_reference AS posReference, version FROM ${ACTIVE_ORDERS} WHERE is_active = 1 ORDER BY seq DESC`,
  );
  const countActive = db.prepare<[], number>(`SELECT count(*) FROM ${ACTIVE_ORDERS} WHERE is_active = 1`).pluck();
  const countActiveOf = db
    .prepare<[string], number>(
      `SELECT count(*) FROM ${ACTIVE_ORDERS} JOIN order_versions v ON v.id = body_id WHERE is_active = 1 AND v.origin = ?`,
    )
    .pluck();
  // The length is in the head of its row: no content is read for it.
  const bytesActiveOf = db
    .prepare<[string], number | null>(
      `SELECT sum(octet_length(v.body)) FROM ${ACTIVE_ORDERS} JOIN order_versions v ON v.id = body_id
       WHERE is_active = 1 AND v.origin = ?`,
    )
    .pluck();
  const countChanged = db
    .prepare<{ seq: number; most: number }, number>(
      "SELECT count(*) FROM (SELECT 1 FROM orders WHERE seq > @seq LIMIT @most)",
    )
    .pluck();
  const currentHeads = db.prepare<[number], BodyHead>(
    `SELECT o.body_id AS id, o.forward AS forward FROM ${currentOrders("?")} o ORDER BY o.seq`,
  );
  const changedHeads = db.prepare<[number], BodyHead>(
    "SELECT o.body_id AS id, o.forward AS forward FROM orders o WHERE o.seq > ? ORDER BY o.seq",
  );
  const bodyOf = db.prepare<[number], { body: string; checksum: number }>(
    `SELECT ${BODY} AS body, v.checksum AS checksum FROM order_versions v WHERE v.id = ?`,
  );
  const namedSince = db
    .prepare<{ texts: string; since: number }, string>(
      `SELECT o.pos_reference FROM ${currentOrders("@since")} o JOIN order_versions v ON v.id = o.body_id
       WHERE EXISTS (SELECT 1 FROM json_each(@texts) WHERE instr(${BODY}, value))`,
    )
    .pluck();
  const countCurrent = db.prepare<[number], number>(`SELECT count(*) FROM ${currentOrders("?")}`).pluck();

  return {
    get: (posReference: string): BodyRow | null => get.get(posReference) ?? null,

    /** Active orders that hold a table, oldest change first. */
    activeOnTable: (tableId: number) => activeOnTable.all({ tableId }),
    /** Active orders of which somebody is the last writer. */
    countActiveOf: (origin: string): number => countActiveOf.get(origin) ?? 0,
    bytesActiveOf: (origin: string): number => bytesActiveOf.get(origin) ?? 0,
    /** Which version of each active order is the newest, newest activity first. */
    activeHeads: (): OrderHead[] => activeHeads.all(),
    countActive: (): number => countActive.get() ?? 0,

    /** Where the newest versions lie of orders that changed after `seq`, oldest change first. */
    changedHeads: (seq: number): BodyHead[] => changedHeads.all(seq),
    /** How many orders changed after `seq`; `most` at most are counted. */
    countChanged: (seq: number, most: number): number => countChanged.get({ seq, most }) ?? 0,
    /** Whether more orders than `most` changed after `seq`. */
    hasChangedMore: (seq: number, most: number): boolean => (countChanged.get({ seq, most: most + 1 }) ?? 0) > most,
    /** The same of the active orders and those finished since `updatedSince` (ms since 1970). */
    currentHeads: (updatedSince: number): BodyHead[] => currentHeads.all(updatedSince),
    /** The active orders, and those finished since then, in which one of these names stands (of a line, say). */
    namedSince: (names: readonly string[], since: number): string[] =>
      namedSince.all({ texts: JSON.stringify(names.map((name) => JSON.stringify(name))), since }),
    /** Null where the version is missing. */
    bodyOf(head: BodyHead): BodyRow | null {
      const row = bodyOf.get(head.id);
      return row === undefined ? null : { ...head, ...row };
    },
    countCurrent: (updatedSince: number): number => countCurrent.get(updatedSince) ?? 0,
  };
}
