import { HubEventId, type LookupOrder } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { isoTime } from "../world.ts";

type OrderStatus = "draft" | "paid";
type OrderSource = "ui" | "hub";

/** `received` is what came in: the body of orders/create (`ui`) or the event's `order` (`hub`). */
export interface StoredOrder {
  id: number;
  posReference: string;
  status: OrderStatus;
  source: OrderSource;
  tableId: number | null;
  received: unknown;
  /** The number that the order holds, if any. */
  ncf: string | null;
  ncfType: string | null;
}

export interface OrderToStore {
  posReference: string;
  status: OrderStatus;
  source: OrderSource;
  tableId: number | null;
  received: unknown;
}

interface OrderRow {
  id: number;
  pos_reference: string;
  status: OrderStatus;
  source: OrderSource;
  table_id: number | null;
  received: string;
  ncf: string | null;
  ncf_type: string | null;
}

interface FoundRow {
  id: number;
  pos_reference: string;
  status: OrderStatus;
  total: number;
  ncf: string | null;
  /** When it was paid, ms since 1970; a paid order never changes again. */
  paid_at: number | null;
  event_id: string | null;
}

export function createOrders(db: Db) {
  const columns = "pos_order.id, pos_reference, status, source, table_id, received, ncf, type AS ncf_type";
  const withNumber = "pos_order LEFT JOIN ncf_number ON order_id = pos_order.id AND holder = 'order'";
  // The total is read inside SQLite: parsing ten thousand orders in one go would hold up every other caller.
  const total = "json_extract(received, iif(source = 'hub', '$.snapshot.totals.total', '$.totals.total')) AS total";
  const selectAll = db.prepare<[], OrderRow & { total: number }>(`
    SELECT ${columns}, ${total} FROM ${withNumber} ORDER BY pos_order.id`);
  const lookUp = db.prepare<{ names: string }, FoundRow>(`
    SELECT pos_order.id, pos_reference, status, ${total}, ncf, iif(status = 'paid', updated_at, NULL) AS paid_at, event_id
    FROM ${withNumber}
    LEFT JOIN (
      SELECT pos_reference AS finalized, event_id FROM audit_event
      WHERE type = 'hub_finalize' AND pos_reference IN (SELECT value FROM json_each(@names))
    ) ON finalized = pos_reference
    WHERE pos_reference IN (SELECT value FROM json_each(@names))
    ORDER BY pos_order.id`);
  const byReference = db.prepare<[string], OrderRow>(`SELECT ${columns} FROM ${withNumber} WHERE pos_reference = ?`);
  const insert = db.prepare(`
    INSERT INTO pos_order (pos_reference, status, source, session_id, table_id, received, created_at, updated_at)
    VALUES (@posReference, @status, @source, @sessionId, @tableId, @received, @nowMs, @nowMs)`);
  const update = db.prepare(`
    UPDATE pos_order
    SET status = @status, source = @source, session_id = @sessionId, table_id = @tableId, received = @received,
      updated_at = @nowMs
    WHERE pos_reference = @posReference`);

  return {
    /** Oldest first, each with its total. */
    all: (): (StoredOrder & { total: number })[] =>
      selectAll.all().map((row) => ({ ...toOrder(row), total: row.total })),

    /** Those of these references that exist, oldest first. */
    lookUp: (posReferences: readonly string[]): LookupOrder[] =>
      lookUp.all({ names: JSON.stringify(posReferences) }).map((row) => ({
        posReference: row.pos_reference,
        status: row.status,
        orderId: row.id,
        eventId: row.event_id === null ? null : HubEventId.parse(JSON.parse(row.event_id)),
        total: row.total,
        ncf: row.ncf,
        paidAt: row.paid_at === null ? null : isoTime(row.paid_at),
      })),

    byReference(posReference: string): StoredOrder | null {
      const row = byReference.get(posReference);
      return row === undefined ? null : toOrder(row);
    },

    add(order: OrderToStore, sessionId: number, nowMs: number): void {
      insert.run({ ...order, received: JSON.stringify(order.received), sessionId, nowMs });
    },

    replace(order: OrderToStore, sessionId: number, nowMs: number): void {
      update.run({ ...order, received: JSON.stringify(order.received), sessionId, nowMs });
    },
  };
}

function toOrder(row: OrderRow): StoredOrder {
  const received: unknown = JSON.parse(row.received);
  return {
    id: row.id,
    posReference: row.pos_reference,
    status: row.status,
    source: row.source,
    tableId: row.table_id,
    received,
    ncf: row.ncf,
    ncfType: row.ncf_type,
  };
}
