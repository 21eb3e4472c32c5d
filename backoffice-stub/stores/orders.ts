import { HubEventId, type LookupOrder } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { isoTime } from "../world.ts";

type OrderStatus = "draft" | "paid";
type OrderSource = "ui" | "hub";

/** `received`: the body of orders/create (`ui`), or the event's `order` (`hub`). */
export interface StoredOrder {
  id: number;
  posReference: string;
  status: OrderStatus;
  source: OrderSource;
  tableId: number | null;
  received: unknown;
  /** The order's fiscal number, if any. */
  ncf: string | null;
}

export type OrderToStore = Omit<StoredOrder, "id" | "ncf">;

type OrderRow = StoredOrder & { received: string };

/** `paidAt` in ms since 1970. A paid order never changes. */
type FoundRow = Omit<LookupOrder, "paidAt" | "eventId"> & { paidAt: number | null; eventId: string | null };

export function createOrders(db: Db) {
  const columns =
    "pos_order.id, pos_order.pos_reference AS posReference, status, source, table_id AS tableId, received, ncf";
  const withNumber = `pos_order LEFT JOIN ncf_number
    ON ncf_number.pos_reference = pos_order.pos_reference AND holder = 'order' AND annulled_reason IS NULL`;
  // The total is read by SQLite: parsing ten thousand orders at once would block all other requests.
  const total = "json_extract(received, iif(source = 'hub', '$.snapshot.totals.total', '$.totals.total')) AS total";
  const selectAll = db.prepare<[], OrderRow & { total: number }>(`
    SELECT ${columns}, ${total} FROM ${withNumber} ORDER BY pos_order.id`);
  const lookUp = db.prepare<{ names: string }, FoundRow>(`
    SELECT pos_order.pos_reference AS posReference, status, pos_order.id AS orderId, event_id AS eventId, ${total}, ncf,
      iif(status = 'paid', updated_at, NULL) AS paidAt
    FROM ${withNumber}
    LEFT JOIN (
      SELECT pos_reference AS finalized, event_id FROM audit_event
      WHERE type = 'hub_finalize' AND pos_reference IN (SELECT value FROM json_each(@names))
    ) ON finalized = pos_order.pos_reference
    WHERE pos_order.pos_reference IN (SELECT value FROM json_each(@names))
    ORDER BY pos_order.id`);
  const selectOne = db.prepare<[string], OrderRow>(
    `SELECT ${columns} FROM ${withNumber} WHERE pos_order.pos_reference = ?`,
  );
  const paidAt = db.prepare<[number], number>("SELECT updated_at FROM pos_order WHERE id = ?").pluck();
  const insert = db.prepare(`
    INSERT INTO pos_order (pos_reference, status, source, session_id, table_id, received, created_at, updated_at)
    VALUES (@posReference, @status, @source, @sessionId, @tableId, @received, @nowMs, @nowMs)`);
  const update = db.prepare(`
    UPDATE pos_order
    SET status = @status, source = @source, session_id = @sessionId, table_id = @tableId, received = @received,
      updated_at = @nowMs
    WHERE pos_reference = @posReference`);

  return {
    /** Sorted oldest first, each with its total. */
    list: (): (StoredOrder & { total: number })[] =>
      selectAll.all().map((row) => ({ ...row, received: JSON.parse(row.received) as unknown })),

    /** Returns the orders that exist of these references, oldest first. */
    lookUp: (posReferences: readonly string[]): LookupOrder[] =>
      lookUp.all({ names: JSON.stringify(posReferences) }).map((row) => ({
        ...row,
        eventId: row.eventId === null ? null : HubEventId.parse(JSON.parse(row.eventId)),
        paidAt: row.paidAt === null ? null : isoTime(row.paidAt),
      })),

    get(posReference: string): StoredOrder | null {
      const row = selectOne.get(posReference);
      return row === undefined ? null : { ...row, received: JSON.parse(row.received) as unknown };
    },

    /** Returns when a paid order was booked, in ms since 1970. */
    paidAt: (id: number): number => paidAt.get(id) ?? 0,

    add(order: OrderToStore, sessionId: number, nowMs: number): void {
      insert.run({ ...order, received: JSON.stringify(order.received), sessionId, nowMs });
    },

    replace(order: OrderToStore, sessionId: number, nowMs: number): void {
      update.run({ ...order, received: JSON.stringify(order.received), sessionId, nowMs });
    },
  };
}
