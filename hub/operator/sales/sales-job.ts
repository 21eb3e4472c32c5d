import {
  type BackOfficeTax,
  type Payment,
  type Refund,
  type Rounding,
  type SalesReport,
  type Snapshot,
  type StoredOrder,
  restaurantClock,
} from "@comanda/protocol";
import { createSalesReport, refundedQuantities, seatedSince, sum, groupReductions } from "@comanda/rules";
import type Database from "better-sqlite3";
import { parseColumn } from "../../db/rows/parse-column.ts";
import { defineReading } from "../../jobs/job.ts";
import { IS_DISCARD } from "../../orders/store/removed-orders.ts";
import { BODY, isSoundBody, type Body } from "../../orders/store/stored-body.ts";

interface Input {
  file: string;
  /** The counted period: from `since` until before `until`, ms since 1970. */
  since: number;
  until: number;
  /** Counts what belongs to this POS session, whenever it was paid; null counts what was paid in the period. */
  session: string | null;
  /** Groups by business day instead of by hour. */
  byDay: boolean;
  timeZone: string;
  taxes: readonly BackOfficeTax[];
  rounding: Rounding | null;
}

type Counted = Omit<
  SalesReport,
  "since" | "until" | "day" | "through" | "today" | "keptSince" | "session" | "asOf" | "timeZone"
>;
type Period = Pick<Input, "since" | "until">;
/** `isOther`: all but what belongs to the session. */
type Scope = Period & Pick<Input, "session"> & { isOther?: boolean };
type Report = ReturnType<typeof createSalesReport>;

/** Rows read before other jobs run. */
const SLICE = 100;
/** How many entries of each list and group are returned; the rest are only counted. */
const LISTED = 50;

/** Adds up the sales of a period from its checks. An unreadable check counts with the amounts in its takings row. */
export const salesJob = defineReading(
  "sales",
  function* sales(db, { timeZone, byDay, taxes, rounding, session, ...period }: Input): Generator<undefined, Counted> {
    const rules = { taxes, rounding: rounding ?? undefined };
    const { day, hourBegan } = restaurantClock(timeZone);
    const report = createSalesReport({ ...rules, hourOf: byDay ? day : hourBegan });
    let seatedFrom = period.since;
    const counted = { ...period, ...(session !== null && { since: 0 }), session };
    yield* readTakings(db, counted, ({ at, total, payments }, check) => {
      if (check === null) return report.addUnreadable(at, { total, payments: parseColumn<Payment[]>(payments, []) });
      report.addCheck(at, check);
      if (check.partyId !== undefined) seatedFrom = Math.min(seatedFrom, Date.parse(seatedSince(check)));
    });
    // Some guests of a party seated before the period may have paid then.
    const others = { since: seatedFrom, until: session === null ? period.since : period.until, session };
    yield* readTakings(db, { ...others, isOther: session !== null }, (_, check) => {
      if (check !== null) report.addPaidBefore(check);
    });
    readRefunds(db, counted, report.addRefund);
    yield* addDiscarded(db, report, period);
    return present(report, byDay);
  },
);

interface Place {
  at: number;
  posReference: string;
}

interface Taking extends Body, Place {
  total: number;
  payments: string;
}

/**
 * Reads the takings of a period, each with its check, or with null if that cannot be read. Each slice is its own statement,
 * since a long transaction would keep the write-ahead log from being emptied.
 */
export function* readTakings(
  db: Database.Database,
  { since, until, session, isOther = false }: Scope,
  take: (taking: Omit<Taking, keyof Body>, check: Snapshot | null) => void,
): Generator<undefined> {
  const slice = db.prepare<Omit<Scope, "since" | "isOther"> & Place, Nullable<Taking, "body" | "checksum">>(`
    SELECT t.at, t.pos_reference AS posReference, t.total, t.payments, ${BODY} AS body, v.checksum
    FROM takings t
    LEFT JOIN orders o ON o.pos_reference = t.pos_reference LEFT JOIN order_versions v ON v.id = o.body_id
    WHERE (t.at, t.pos_reference) > (@at, @posReference) AND t.at < @until
      AND ${session === null ? "@session IS NULL" : `t.session ${isOther ? "IS NOT" : "="} @session`}
    ORDER BY t.at, t.pos_reference LIMIT ${SLICE}`);
  let last: Place | undefined = { at: since - 1, posReference: "\u{10ffff}" };
  while (last !== undefined) {
    const rows: Nullable<Taking, "body" | "checksum">[] = slice.all({ ...last, until, session });
    for (const row of rows) take(row, snapshotOf(row));
    last = rows.length === SLICE ? rows.at(-1) : undefined;
    yield;
  }
}

/** Reads the refunds of a period. They are few, and of checks from any day. */
export function readRefunds(db: Database.Database, scope: Scope, take: Report["addRefund"]): void {
  const made = db.prepare<Scope, { posReference: string; madeAt: number; body: string }>(`
    SELECT pos_reference AS posReference, made_at AS madeAt, body FROM refunds INDEXED BY refund_by_time
    WHERE made_at >= @since AND made_at < @until AND (@session IS NULL OR session = @session) ORDER BY made_at`);
  const selectByOrder = db
    .prepare<[string], string>(
      "SELECT body FROM refunds WHERE pos_reference = ? AND made_at IS NOT NULL ORDER BY made_at",
    )
    .pluck();
  const content = db.prepare<[string], Body>(`
    SELECT ${BODY} AS body, v.checksum FROM orders o JOIN order_versions v ON v.id = o.body_id
    WHERE o.pos_reference = ?`);
  for (const { posReference, madeAt, body } of made.all(scope)) {
    const refund = parseColumn<Refund | null>(body, null);
    if (refund === null) continue;
    const check = snapshotOf(content.get(posReference));
    const all = selectByOrder.all(posReference).flatMap((each) => parseColumn<Refund | null>(each, null) ?? []);
    const earlier = all.slice(
      0,
      all.findIndex(({ refundId }) => refundId === refund.refundId),
    );
    const before = check === null ? [] : refundedQuantities({ lines: check.lines, refunds: earlier });
    take({ at: madeAt, posReference, refund, check, before });
  }
}

function* addDiscarded(db: Database.Database, report: Report, { since, until }: Period): Generator<undefined> {
  const removed = db.prepare<Period, Body & { reason: string | null; by: string | null }>(`
    SELECT o.reason, coalesce(p.approved_by, p.user_name) AS by, ${BODY} AS body, v.checksum
    FROM removed_orders o JOIN order_versions v ON v.id = o.last_id
    LEFT JOIN version_people p ON p.pos_reference = o.pos_reference AND p.version = o.version
    WHERE o.packing IN (0, 1, 2, 3, 4) AND o.removed_at >= @since AND o.removed_at < @until AND o.${IS_DISCARD}`);
  for (const [index, row] of removed.all({ since, until }).entries()) {
    const check = snapshotOf(row);
    if (check !== null) report.addDiscarded(check, row.reason, row.by);
    if (index % SLICE === SLICE - 1) yield;
  }
}

type Nullable<T, K extends keyof T> = Omit<T, K> & { [F in K]: T[F] | null };

/** Returns null for a missing or damaged row; the code that writes and checks the file reports damage. */
function snapshotOf(row: Nullable<Body, "body" | "checksum"> | undefined): Snapshot | null {
  if (row?.body == null || row.checksum === null) return null;
  if (!isSoundBody({ body: row.body, checksum: row.checksum }, () => undefined)) return null;
  return parseColumn<StoredOrder | null>(row.body, null)?.snapshot ?? null;
}

function present(report: Report, byDay: boolean): Counted {
  const { discounts, voids, comps, refunds, hours, ...sold } = report.read();
  const listed = (all: typeof voids): SalesReport["voids"] => ({
    count: all.length,
    amount: sum(all.map(({ amount }) => amount)),
    largest: all.slice(0, LISTED),
    byReason: groupReductions(all, ({ reason }) => reason).slice(0, LISTED),
    byPerson: groupReductions(all, ({ by, staffName }) => by ?? staffName).slice(0, LISTED),
  });
  return {
    ...sold,
    hours: byDay ? [] : hours,
    days: byDay ? hours.map(({ from: day, ...each }) => ({ day, ...each })) : [],
    discounts: listed(discounts),
    voids: listed(voids),
    comps: listed(comps),
    refunds: refunds.slice(-LISTED).toReversed(),
  };
}
