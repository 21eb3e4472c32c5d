import type { HqCoverage, HqSales } from "@comanda/protocol/headquarters.ts";
import type { Queries } from "../db/database.ts";
import type { DaysIn } from "../sums/days-in.ts";

const MAX_PRODUCTS = 500;

/**
 * What to add up: `days`, and the restaurants `ids` (null for all). `group` is the name under which the day sums hold exactly
 * these restaurants: empty for all restaurants, null if there are no such sums.
 */
export interface SumsQuery {
  days: DaysIn;
  ids: readonly string[] | null;
  group: string | null;
}

/** The sums of an hour of the restaurants' clocks (0 to 23), of a day, or of everything; money in cents. */
export type Sum = HqSales["totals"] & { hour: number | null; day: string | null };

type SoldProduct = HqSales["products"][number];

/** SQL condition: the restaurant is in `$3`. `$3` is null for all restaurants, which saves a test per row. */
const isCounted = "($3::text[] IS NULL OR restaurant_id = ANY($3))";

const sumOf = (column: string): string => `coalesce(sum(${column}), 0)::bigint`;

/** Returns sums by clock hour, by day and of everything, from one query. The last is there even if nothing was sold. */
export function readSums({ query }: Queries, sumsQuery: SumsQuery): Promise<Sum[]> {
  const columns = "clock_hour AS hour, day, checks, guests, paid_cents, refunded_cents, discount_cents, void_cents";
  return query<Sum>(
    `SELECT hour, day::text AS day, ${sumOf("checks")} AS checks, ${sumOf("guests")} AS guests,
       ${sumOf("paid_cents")} AS paid, ${sumOf("refunded_cents")} AS refunded,
       ${sumOf("discount_cents")} AS discounts, ${sumOf("void_cents")} AS voids
     FROM (
       SELECT ${columns} FROM summed_hours WHERE day = ANY($1::date[]) AND group_name = $4
       UNION ALL
       SELECT ${columns} FROM sales_hours WHERE day = ANY($2::date[]) AND ${isCounted}) AS sales
     GROUP BY GROUPING SETS ((hour), (day), ())`,
    valuesOf(sumsQuery),
  );
}

export function readSumsByRestaurant(
  { query }: Queries,
  { days: { summed, fresh }, ids }: SumsQuery,
): Promise<{ id: string; checks: number; paid: number }[]> {
  return query(
    `SELECT restaurant_id AS id, sum(checks)::bigint AS checks, sum(paid_cents)::bigint AS paid
     FROM (
       SELECT restaurant_id, checks, paid_cents FROM summed_restaurants WHERE day = ANY($1::date[]) AND ${isCounted}
       UNION ALL
       SELECT restaurant_id, checks, paid_cents FROM sales_hours WHERE day = ANY($2::date[]) AND ${isCounted}) AS sales
     GROUP BY restaurant_id`,
    [summed, fresh, ids],
  );
}

/** Returns the products with the highest amounts, and the number and total amount of all others. */
export async function readSoldProducts({ query }: Queries, sumsQuery: SumsQuery) {
  const columns = "product_id, name, quantity_e4, amount_cents";
  const rows = await query<SoldProduct & { count: number; total: number }>(
    `SELECT product_id AS "productId", max(name) AS name, sum(quantity_e4)::bigint AS quantity,
       sum(amount_cents)::bigint AS amount, count(*) OVER () AS count, (sum(sum(amount_cents)) OVER ())::bigint AS total
     FROM (
       SELECT ${columns} FROM summed_products WHERE day = ANY($1::date[]) AND group_name = $4
       UNION ALL
       SELECT ${columns} FROM sales_products WHERE day = ANY($2::date[]) AND ${isCounted}) AS sales
     GROUP BY product_id ORDER BY amount DESC, product_id LIMIT ${MAX_PRODUCTS}`,
    valuesOf(sumsQuery),
  );
  const [first] = rows;
  const listed = rows.reduce((sum, { amount }) => sum + amount, 0);
  return {
    products: rows.map(({ productId, name, quantity, amount }) => ({
      productId,
      name,
      quantity: quantity / 10_000,
      amount: amount / 100,
    })),
    otherProducts: {
      count: (first?.count ?? 0) - rows.length,
      amount: ((first?.total ?? 0) - listed) / 100,
    },
  };
}

/**
 * Returns what is missing from the sums of these days and restaurants (null for all). Unreadable data may be of any day from
 * the copy before it until its arrival, with a day to spare on each side for the time zone.
 */
export function readHoles(
  { query }: Queries,
  { from, to, ids }: { from: string; to: string; ids: readonly string[] | null },
): Promise<HqCoverage["holes"]> {
  return query(
    `SELECT r.id, r.name, h.cause FROM holes h JOIN restaurants r ON r.id = h.restaurant_id
     WHERE ($3::text[] IS NULL OR r.id = ANY($3))
       AND coalesce((h.cause->>'from')::date, (h.copy_of - interval '1 day')::date, '-infinity') <= $2::date
       AND coalesce((h.cause->>'to')::date, (h.at + interval '1 day')::date) >= $1::date
     ORDER BY r.name, h.id`,
    [from, to, ids],
  );
}

function valuesOf({ days: { summed, fresh }, ids, group }: SumsQuery): unknown[] {
  return group === null ? [[], [...summed, ...fresh], ids, ""] : [summed, fresh, ids, group];
}
