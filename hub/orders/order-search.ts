import type { OrderFilter, OrderType } from "@comanda/protocol";
import type { Db } from "../db/open.ts";

export interface OrderSearch {
  status: OrderFilter;
  /** Any part of reference, ticket number, customer or staff; null for all. */
  search: string | null;
  /** Tables whose name matches the search as well. */
  tableIds: readonly number[];
  tableId: number | null;
  orderType: OrderType | null;
}

/** An order in its place: `seq` of its newest change. */
export interface FoundOrder {
  posReference: string;
  seq: number;
  isRemoved: 0 | 1;
}

const MATCHES = `
  (@like IS NULL OR search_text LIKE @like ESCAPE '\\' OR check_number = @number
    OR table_id IN (SELECT value FROM json_each(@tableIds)))
  AND (@tableId IS NULL OR table_id = @tableId)
  AND (@orderType IS NULL OR order_type = @orderType)`;

const KEPT = `
  SELECT pos_reference AS posReference, seq, 0 AS isRemoved FROM orders
  WHERE ${MATCHES} AND CASE @status
    WHEN 'active' THEN is_active = 1
    WHEN 'paid' THEN is_active = 0
    WHEN 'attention' THEN forward LIKE '{"state":"attention"%'
      OR pos_reference IN (SELECT pos_reference FROM unapplied_payments WHERE settled_at IS NULL)
    WHEN 'all' THEN 1
    ELSE 0 END`;

const REMOVED = `
  SELECT pos_reference AS posReference, seq, 1 AS isRemoved FROM removed_orders
  WHERE @status IN ('removed', 'all') AND ${MATCHES}`;

/** Finds orders for people, discarded ones included. */
export function createOrderFinder(db: Db) {
  type Parameters = Record<string, string | number | null>;
  const page = db.prepare<Parameters, FoundOrder>(`
    SELECT * FROM (${KEPT} UNION ALL ${REMOVED}) WHERE seq < @below ORDER BY seq DESC LIMIT @limit`);
  const count = db.prepare<Parameters, { n: number }>(`SELECT count(*) AS n FROM (${KEPT} UNION ALL ${REMOVED})`);
  const openPayments = db.prepare<[], { posReference: string }>(
    "SELECT DISTINCT pos_reference AS posReference FROM unapplied_payments WHERE settled_at IS NULL",
  );

  return {
    /** Newest activity first, below a place in the shared state. */
    page: (search: OrderSearch, below: number, limit: number): FoundOrder[] =>
      page.all({ ...columns(search), below, limit }),
    count: (search: OrderSearch): number => count.get(columns(search))?.n ?? 0,
    /** References on which money waits that could not be applied. */
    withOpenPayments: (): Set<string> => new Set(openPayments.all().map((row) => row.posReference)),
  };
}

function columns({ status, search, tableIds, tableId, orderType }: OrderSearch) {
  const text = search === null || search === "" ? null : search;
  return {
    status,
    like: text === null ? null : `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`,
    number: text !== null && /^#?\d{1,6}$/.test(text) ? Number(text.replace("#", "")) : null,
    tableIds: JSON.stringify(text === null ? [] : tableIds),
    tableId,
    orderType,
  };
}
