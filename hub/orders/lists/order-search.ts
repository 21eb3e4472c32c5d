import { foldText, type OrderType } from "@comanda/protocol";
import type { Database } from "better-sqlite3";
import { COUNTED_MAX, likePart, type Total } from "../../db/rows/count-up-to.ts";
import type { Db } from "../../db/open.ts";
import { defineReading } from "../../jobs/job.ts";

interface Criteria {
  /** Any part of reference, ticket number, customer or staff name, ignoring case and accents; null for all orders. */
  search: string | null;
  /** Tables whose names match `search`. Orders on them match, too. */
  tableIds: readonly number[];
  tableId: number | null;
  orderType: OrderType | null;
}

/** A search among the few orders in progress or in need of attention. */
export type PresentSearch = Criteria & { status: "active" | "attention" };
/** A search among all orders, including finished and removed ones. */
export type HistorySearch = Criteria & { status: "paid" | "removed" | "all" };
export type OrderSearch = PresentSearch | HistorySearch;

/** A found order with the `seq` of its newest change. */
export interface FoundOrder {
  posReference: string;
  seq: number;
}

/** A page of at most `limit` orders with a seq below `below`. */
export interface PageRange {
  below: number;
  limit: number;
}

/** A page of orders, newest activity first, and the total that the search finds. */
export interface FoundPage extends Total {
  found: FoundOrder[];
}

type Parameters = Record<string, string | number | null>;

const MATCHES = `
  (@like IS NULL OR search_text LIKE @like ESCAPE '\\' OR check_number = @number
    OR table_id IN (SELECT value FROM json_each(@tableIds)))
  AND (@tableId IS NULL OR table_id = @tableId)
  AND (@orderType IS NULL OR order_type = @orderType)`;

const OPEN_PAYMENTS =
  "SELECT pos_reference FROM unapplied_payments INDEXED BY unapplied_payment_open WHERE settled_at IS NULL";

const REFUSED_NUMBERS =
  "SELECT pos_reference FROM fiscal_requests INDEXED BY fiscal_request_by_state WHERE state IN ('failed', 'unsigned', 'rejected', 'conflict')";

const COLUMNS = "pos_reference, seq, search_text, check_number, table_id, order_type";
const NEEDS_ATTENTION = `substr(forward, 1, 20) = '{"state":"attention"'`;

/** Each query reads an index that contains only the few orders it can find. */
const PRESENT: Record<PresentSearch["status"], string> = {
  active: `SELECT ${COLUMNS} FROM orders INDEXED BY order_active WHERE is_active = 1`,
  attention: `
    SELECT ${COLUMNS} FROM orders INDEXED BY order_attention WHERE ${NEEDS_ATTENTION}
    UNION SELECT ${COLUMNS} FROM orders WHERE pos_reference IN (${OPEN_PAYMENTS})
    UNION SELECT ${COLUMNS} FROM orders WHERE pos_reference IN (${REFUSED_NUMBERS})`,
};

export type OrderFinder = ReturnType<typeof createOrderFinder>;

/** Finds orders in progress or in need of attention. Searches through all orders run as a job. */
export function createOrderFinder(db: Db) {
  const prepare = (status: PresentSearch["status"]) => ({
    page: db.prepare<Parameters, FoundOrder>(`
      SELECT pos_reference AS posReference, seq FROM (${PRESENT[status]}) WHERE ${MATCHES} AND seq < @below
      ORDER BY seq DESC LIMIT @limit`),
    count: db.prepare<Parameters, { n: number }>(`SELECT count(*) AS n FROM (${PRESENT[status]}) WHERE ${MATCHES}`),
  });
  const statements = { active: prepare("active"), attention: prepare("attention") };
  const openPayments = db.prepare<[], { posReference: string }>(
    `SELECT DISTINCT pos_reference AS posReference FROM (${OPEN_PAYMENTS})`,
  );

  return {
    page(search: PresentSearch, { below, limit }: PageRange): FoundPage {
      const { page, count } = statements[search.status];
      const criteria = columns(search);
      return { found: page.all({ ...criteria, below, limit }), total: count.get(criteria)?.n ?? 0 };
    },
    /** References of orders with open unapplied payments. */
    findWithOpenPayments: (): Set<string> => new Set(openPayments.all().map((row) => row.posReference)),
  };
}

/** Whether a search only covers the few orders in PRESENT. */
export function isPresentSearch(search: OrderSearch): search is PresentSearch {
  return search.status === "active" || search.status === "attention";
}

const STORED = "SELECT pos_reference AS posReference, seq FROM orders INDEXED BY order_by_seq WHERE";
const REMOVED = "SELECT pos_reference AS posReference, seq FROM removed_orders INDEXED BY removed_order_by_seq WHERE";
const COUNT_STORED = "(SELECT kept FROM order_counts)";
const COUNT_REMOVED = "(SELECT removed FROM order_counts)";
const COUNT_ACTIVE = "(SELECT count(*) FROM orders INDEXED BY order_active WHERE is_active = 1)";

/** For each status, the queries for matching orders, and SQL for the number of orders without other criteria. */
const HISTORY: Record<HistorySearch["status"], { rows: readonly string[]; count: string }> = {
  paid: { rows: [`${STORED} is_active = 0`], count: `${COUNT_STORED} - ${COUNT_ACTIVE}` },
  removed: { rows: [`${REMOVED} true`], count: COUNT_REMOVED },
  all: { rows: [`${STORED} true`, `${REMOVED} true`], count: `${COUNT_STORED} + ${COUNT_REMOVED}` },
};

/** Number of orders searched before other jobs get a turn. */
const SLICE = 2_000;

/** Searches all orders, newest first and in slices. Must run in a transaction, in a separate thread. */
export function* searchHistory(
  db: Database,
  search: HistorySearch,
  { below, limit }: PageRange,
): Generator<undefined, FoundPage> {
  const criteria = columns(search);
  const { rows, count } = HISTORY[search.status];
  const matching = rows.map((each) => `${each} AND ${MATCHES} AND seq < @top AND seq >= @bottom`).join(" UNION ALL ");
  const page = db.prepare<Parameters, FoundOrder>(`${matching} ORDER BY seq DESC LIMIT @left`);
  const found: FoundOrder[] = [];
  for (const slice of slices(db, below)) {
    found.push(...page.all({ ...criteria, ...slice, left: limit - found.length }));
    if (found.length === limit) break;
    yield undefined;
  }
  const isOnlyPage = below === Number.MAX_SAFE_INTEGER && found.length < limit;
  if (isOnlyPage) return { found, total: found.length };
  const isWhole = criteria.like === null && criteria.tableId === null && criteria.orderType === null;
  if (isWhole) return { found, total: db.prepare<[], number>(`SELECT ${count}`).pluck().get() ?? 0 };

  const counted = db.prepare<Parameters, number>(`SELECT count(*) FROM (${matching} LIMIT @left)`).pluck();
  let total = 0;
  for (const slice of slices(db, Number.MAX_SAFE_INTEGER)) {
    total += counted.get({ ...criteria, ...slice, left: COUNTED_MAX + 1 - total }) ?? 0;
    if (total > COUNTED_MAX) return { found, total: COUNTED_MAX, totalIsCapped: true };
    yield undefined;
  }
  return { found, total };
}

/** Yields ranges of seq that contain SLICE orders each, newest first. */
function* slices(db: Database, below: number): Generator<{ top: number; bottom: number }> {
  const bottomOf = db
    .prepare<[number], number>(`SELECT seq FROM orders WHERE seq < ? ORDER BY seq DESC LIMIT 1 OFFSET ${SLICE}`)
    .pluck();
  for (let top = below; top > 0;) {
    const bottom = bottomOf.get(top) ?? 0;
    yield { top, bottom };
    top = bottom;
  }
}

function columns({ search, tableIds, tableId, orderType }: Criteria) {
  const text = search === null || search === "" ? null : search;
  return {
    like: text === null ? null : likePart(foldText(text)),
    number: text !== null && /^#?\d{1,6}$/.test(text) ? Number(text.replace("#", "")) : null,
    tableIds: JSON.stringify(text === null ? [] : tableIds),
    tableId,
    orderType,
  };
}

/** Finds a page of a search through all orders, and their total. */
export const searchOrdersJob = defineReading(
  "searchOrders",
  function* searchOrders(
    db,
    { search, ...page }: PageRange & { file: string; search: HistorySearch },
  ): Generator<undefined, FoundPage> {
    // One transaction, so that page and total are consistent.
    db.exec("BEGIN");
    return yield* searchHistory(db, search, page);
  },
);
