import type { OrderStatus, OrderType, Payment } from "@comanda/protocol";
import { sealWith } from "../../db/integrity/sealed-tables.ts";
import type { Db } from "../../db/open.ts";
import { createOrderHeads } from "./order-heads.ts";
import { createRemovedOrders, type RemovedOrder } from "./removed-orders.ts";
import { COUNTED_SESSION } from "../../db/rows/counted-session.ts";

/** A row of `orders`: the newest version of an order, and the columns by which it is found. */
export interface OrderRow {
  posReference: string;
  version: number;
  /** The row of `order_versions` with the content. */
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

export type OrderRows = ReturnType<typeof createOrderRows>;

/** Reads and writes `orders`, `removed_orders`, and `takings`, from which payments are summed up. */
export function createOrderRows(db: Db) {
  const removed = createRemovedOrders(db);
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
    `INSERT OR REPLACE INTO takings (at, pos_reference, total, payments, session)
    VALUES (@at, @posReference, @total, @payments, ${COUNTED_SESSION})`,
  );
  const deleteTakings = db.prepare<[string]>("DELETE FROM takings WHERE pos_reference = ?");
  const deleteOrder = db.prepare<[string]>("DELETE FROM orders WHERE pos_reference = ?");
  const join = db.prepare<[number, string]>("INSERT INTO joined_tables (table_id, pos_reference) VALUES (?, ?)");
  const unjoin = db.prepare<[string]>("DELETE FROM joined_tables WHERE pos_reference = ?");

  return {
    ...createOrderHeads(db),
    getStatus: (posReference: string): OrderStatus | null => head.get(posReference)?.status ?? null,
    /** The seq of an order's newest change, or of its removal; 0 if it never existed. */
    getSeq: (posReference: string): number => head.get(posReference)?.seq ?? removed.getSeq(posReference) ?? 0,
    save: (row: OrderRow): void => void save.run(row),
    saveForward: (posReference: string, forward: string, seq: number): void =>
      void saveForward.run({ posReference, forward, seq }),
    /** Sets the tables of an active order besides its main table. */
    saveJoinedTables(posReference: string, tableIds: readonly number[]): void {
      unjoin.run(posReference);
      for (const tableId of tableIds) join.run(tableId, posReference);
    },
    saveTaking(posReference: string, at: number, total: number, payments: readonly Payment[]): void {
      insertTaking.run({ posReference, at, total, payments: JSON.stringify(payments) });
    },
    /** Call this when a check that was already paid is paid again, so that it counts once. */
    forgetTakings: (posReference: string): void => void deleteTakings.run(posReference),
    /** Replaces an order by its removal. */
    remove(posReference: string, seq: number, mark: RemovedOrder): void {
      removed.add(posReference, seq, mark);
      deleteOrder.run(posReference);
      unjoin.run(posReference);
    },
    getRemoval: removed.getRemoval,
    listRemovedSince: removed.listRemovedSince,
  };
}
