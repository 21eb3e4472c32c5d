import type { OrderStatus, OrderType, Payment } from "@comanda/protocol";
import type { Db } from "../../db/open.ts";
import { parseColumn } from "../../db/rows/parse-column.ts";
import { sealWith } from "../../db/integrity/sealed-tables.ts";
import { BODY, type Body } from "./stored-body.ts";

/** An order as it stands: which version is its newest, and what it is found by. */
export interface OrderRow {
  posReference: string;
  version: number;
  /** The row of `order_versions` that holds its content. */
  bodyId: number | bigint;
  seq: number;
  status: OrderStatus;
  isActive: 0 | 1;
  tableId: number | null;
  checkNumber: number | null;
  orderType: OrderType;
  /** Folded (see `foldText`). */
  searchText: string;
  /** Milliseconds since 1970. */
  updatedAt: number;
  /** A `ForwardState` as JSON. */
  forward: string;
}

/** The newest content of an order with its forward state. */
export interface BodyRow extends Body, BodyHead {}

/** The row of an order's newest version, whose body never changes, and where the order stands on its way to the back-office. */
export interface BodyHead {
  id: number;
  forward: string;
}

/** The mark that a discarded check leaves; its last content is the version before. */
export interface RemovedOrder {
  version: number;
  origin: string;
  /** A person's own words. */
  reason: string | null;
  /** The checks that its lines went to; null for a discard. */
  mergedInto: readonly string[] | null;
  removedAt: number;
}

interface RemovedRow extends Omit<RemovedOrder, "mergedInto"> {
  mergedInto: string | null;
}

const REMOVAL = "version, origin, reason, merged_into AS mergedInto, removed_at AS removedAt";

/** SQL for the marks of discarded checks, without those that were merged into others. */
export const IS_DISCARD = "merged_into IS NULL";

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
const CURRENT_ORDERS = `(
  SELECT body_id, forward, seq FROM ${ACTIVE_ORDERS} WHERE is_active = 1
  UNION ALL SELECT body_id, forward, seq FROM orders INDEXED BY order_resting
  WHERE is_active = 0 AND packing IN (0, 1, 2, 3, 4) AND updated_at >= ?)`;

/** The rows of `orders`, of `removed_orders`, and of `takings`, which sums up what was paid. */
export function createOrderRows(db: Db) {
  const get = db.prepare<[string], BodyRow>(`${selectBody("orders")} WHERE o.pos_reference = ?`);
  const head = db.prepare<[string], { status: OrderStatus; seq: number }>(
    "SELECT status, seq FROM orders WHERE pos_reference = ?",
  );
  const seal = sealWith(db, "orders", {
    pos_reference: "@posReference",
    version: "@version",
    body_id: "@bodyId",
    seq: "@seq",
    status: "@status",
    is_active: "@isActive",
    table_id: "@tableId",
    check_number: "@checkNumber",
    order_type: "@orderType",
    updated_at: "@updatedAt",
    forward: "@forward",
  });
  const save = db.prepare<OrderRow>(`
    INSERT INTO orders (pos_reference, version, body_id, seq, status, is_active, table_id, check_number, order_type,
      search_text, updated_at, forward, seal)
    VALUES (@posReference, @version, @bodyId, @seq, @status, @isActive, @tableId, @checkNumber, @orderType,
      @searchText, @updatedAt, @forward, ${seal})
    ON CONFLICT (pos_reference) DO UPDATE SET
      version = excluded.version, body_id = excluded.body_id, seq = excluded.seq, status = excluded.status,
      is_active = excluded.is_active, table_id = excluded.table_id, check_number = excluded.check_number,
      order_type = excluded.order_type, search_text = excluded.search_text, updated_at = excluded.updated_at,
      forward = excluded.forward, packing = 0, seal = excluded.seal`);
  const saveForward = db.prepare<{ posReference: string; forward: string; seq: number }>(
    "UPDATE orders SET forward = @forward, seq = @seq WHERE pos_reference = @posReference",
  );
  const insertTaking = db.prepare<{ posReference: string; at: number; total: number; payments: string }>(
    "INSERT OR REPLACE INTO takings (at, pos_reference, total, payments) VALUES (@at, @posReference, @total, @payments)",
  );
  const deleteTakings = db.prepare<[string]>("DELETE FROM takings WHERE pos_reference = ?");
  const deleteOrder = db.prepare<[string]>("DELETE FROM orders WHERE pos_reference = ?");
  const insertRemoved = db.prepare<RemovedRow & { posReference: string; seq: number }>(`
    INSERT INTO removed_orders (pos_reference, version, last_id, seq, origin, reason, merged_into, removed_at,
      search_text, check_number, table_id, order_type)
    SELECT @posReference, @version, body_id, @seq, @origin, @reason, @mergedInto, @removedAt, search_text, check_number,
      table_id, order_type
    FROM orders WHERE pos_reference = @posReference`);
  const removal = db.prepare<[string], RemovedRow>(`SELECT ${REMOVAL} FROM removed_orders WHERE pos_reference = ?`);
  // Beside the orders whose main table it is, the few that have joined it to theirs.
  const activeOnTable = db.prepare<{ tableId: number }, { posReference: string; checkNumber: number | null }>(`
    SELECT pos_reference AS posReference, check_number AS checkNumber, seq FROM orders
    WHERE table_id = @tableId AND is_active = 1
    UNION ALL
    SELECT o.pos_reference, o.check_number, o.seq
    FROM joined_tables j JOIN orders o ON o.pos_reference = j.pos_reference
    WHERE j.table_id = @tableId
    ORDER BY seq`);
  const join = db.prepare<[number, string]>("INSERT INTO joined_tables (table_id, pos_reference) VALUES (?, ?)");
  const unjoin = db.prepare<[string]>("DELETE FROM joined_tables WHERE pos_reference = ?");
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
    `SELECT o.body_id AS id, o.forward AS forward FROM ${CURRENT_ORDERS} o ORDER BY o.seq`,
  );
  const changedHeads = db.prepare<[number], BodyHead>(
    "SELECT o.body_id AS id, o.forward AS forward FROM orders o WHERE o.seq > ? ORDER BY o.seq",
  );
  const bodyOf = db.prepare<[number], { body: string; checksum: number }>(
    `SELECT ${BODY} AS body, v.checksum AS checksum FROM order_versions v WHERE v.id = ?`,
  );
  const countCurrent = db.prepare<[number], number>(`SELECT count(*) FROM ${CURRENT_ORDERS}`).pluck();
  const removedSince = db.prepare<[number], RemovedRow & { posReference: string }>(`
    SELECT pos_reference AS posReference, ${REMOVAL} FROM removed_orders WHERE seq > ? ORDER BY seq`);

  return {
    get: (posReference: string): BodyRow | null => get.get(posReference) ?? null,
    statusOf: (posReference: string): OrderStatus | null => head.get(posReference)?.status ?? null,
    /** The place of an order's newest change in the shared state. */
    seqOf: (posReference: string): number => head.get(posReference)?.seq ?? 0,
    save: (row: OrderRow): void => void save.run(row),
    saveForward: (posReference: string, forward: string, seq: number): void =>
      void saveForward.run({ posReference, forward, seq }),
    /** Sets the tables that an active order holds beside its main one. */
    saveJoinedTables(posReference: string, tableIds: readonly number[]): void {
      unjoin.run(posReference);
      for (const tableId of tableIds) join.run(tableId, posReference);
    },
    saveTaking(posReference: string, at: number, total: number, payments: readonly Payment[]): void {
      insertTaking.run({ posReference, at, total, payments: JSON.stringify(payments) });
    },
    /** To be called where a check that was paid here is paid again: it counts once. */
    forgetTakings: (posReference: string): void => void deleteTakings.run(posReference),
    /** Replaces an order by the mark that it was discarded. */
    remove(posReference: string, seq: number, mark: RemovedOrder): void {
      const mergedInto = mark.mergedInto === null ? null : JSON.stringify(mark.mergedInto);
      insertRemoved.run({ posReference, seq, ...mark, mergedInto });
      deleteOrder.run(posReference);
      unjoin.run(posReference);
    },
    /** How and when a check was discarded, or null. */
    removal(posReference: string): RemovedOrder | null {
      const row = removal.get(posReference);
      return row === undefined ? null : readRemoval(row);
    },

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
    /** Null where the version is missing. */
    bodyOf(head: BodyHead): BodyRow | null {
      const row = bodyOf.get(head.id);
      return row === undefined ? null : { ...head, ...row };
    },
    countCurrent: (updatedSince: number): number => countCurrent.get(updatedSince) ?? 0,
    /** Oldest first. */
    removedSince: (seq: number) => removedSince.all(seq).map(readRemoval),
  };
}

function readRemoval<R extends RemovedRow>(row: R): Omit<R, "mergedInto"> & RemovedOrder {
  const { mergedInto } = row;
  return { ...row, mergedInto: mergedInto === null ? null : parseColumn<string[]>(mergedInto, []) };
}
