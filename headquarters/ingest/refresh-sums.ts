import { DAY_MS } from "@comanda/protocol";
import type { Queries } from "../db/database.ts";
import { rowsOf } from "../db/rows.ts";
import { forgetDays } from "../sums/forget-days.ts";

/** The hours of restaurants, and their products by day, whose sums have to be recomputed. */
export type Touched = ReturnType<typeof createTouched>;

/**
 * Collects the sums to recompute. Leaves out a restaurant's sums from before `since` (ms since 1970), whose checks may be
 * deleted already. `clockHour` returns the hour (0 to 23) of its clock at a time.
 */
export function createTouched(
  since: (restaurant: string) => number,
  clockHour: (restaurant: string, at: number) => number,
) {
  const hours = new Map<string, object>();
  const products = new Map<string, { restaurant_id: string; day: string; product_id: string }>();
  return {
    addHour(restaurant: string, hour: Date): void {
      if (hour.getTime() < since(restaurant)) return;
      const from = hour.toISOString();
      const clock_hour = clockHour(restaurant, hour.getTime());
      hours.set(`${restaurant} ${from}`, { restaurant_id: restaurant, hour: from, clock_hour });
    },
    addProduct(restaurant: string, day: string, productId: string): void {
      if (Date.parse(day) + DAY_MS <= since(restaurant)) return;
      products.set(JSON.stringify([restaurant, day, productId]), {
        restaurant_id: restaurant,
        day,
        product_id: productId,
      });
    },
    hours: (): object[] => [...hours.values()],
    products: (): { day: string }[] => [...products.values()],
  };
}

const HOURS = `${rowsOf("sales_hours")} AS key`;
const PRODUCTS = `${rowsOf("sales_products")} AS key`;

/**
 * Recomputes sums from the rows of their keys, so that nothing is counted twice. Works key by key (LATERAL), so that the cost
 * depends on those rows only, even while PostgreSQL has no statistics of the tables.
 */
export async function refreshSums(queries: Queries, touched: Touched): Promise<void> {
  const products = touched.products();
  const days = [...(await refreshHours(queries, touched.hours())), ...products].map(({ day }) => day);
  await refreshProducts(queries, products);
  if (days.length > 0) await forgetDays(queries, [...new Set(days)]);
}

/** Returns the days whose sums changed. */
async function refreshHours({ query }: Queries, hours: readonly object[]): Promise<{ day: string }[]> {
  if (hours.length === 0) return [];
  const keys = JSON.stringify(hours);
  const before = await query<{ day: string }>(
    `DELETE FROM sales_hours old USING ${HOURS} WHERE old.restaurant_id = key.restaurant_id AND old.hour = key.hour
     RETURNING old.day::text AS day`,
    [keys],
  );
  const after = await query<{ day: string }>(
    `INSERT INTO sales_hours
       (restaurant_id, hour, clock_hour, day, checks, guests, paid_cents, refunded_cents, discount_cents, void_cents)
     SELECT key.restaurant_id, key.hour, key.clock_hour, coalesce(sold.day, back.day), sold.checks,
       parties.guests, sold.paid, back.refunded, sold.discounts, sold.voids
     FROM ${HOURS} CROSS JOIN LATERAL (
       SELECT min(c.day) AS day, count(c.paid_at) AS checks,
         coalesce(sum(c.paid_cents), 0) AS paid,
         coalesce(sum(c.discount_cents), 0) AS discounts, coalesce(sum(c.void_cents), 0) AS voids
       FROM checks c WHERE c.restaurant_id = key.restaurant_id AND c.hour = key.hour AND NOT c.is_gone
     ) sold CROSS JOIN LATERAL (
       SELECT coalesce(sum(greatest(here.guests - before.guests, 0)), 0) AS guests
       FROM (
         SELECT c.party, max(c.guests) AS guests FROM checks c
         WHERE c.restaurant_id = key.restaurant_id AND c.hour = key.hour AND c.paid_at IS NOT NULL AND NOT c.is_gone
         GROUP BY c.party
       ) here CROSS JOIN LATERAL (
         SELECT coalesce(max(c.guests), 0) AS guests FROM checks c
         WHERE c.restaurant_id = key.restaurant_id AND c.party = here.party AND c.hour < key.hour
           AND c.paid_at IS NOT NULL AND NOT c.is_gone
       ) before
     ) parties CROSS JOIN LATERAL (
       SELECT min(r.day) AS day, coalesce(sum(r.amount_cents), 0) AS refunded
       FROM refunds r WHERE r.restaurant_id = key.restaurant_id AND r.hour = key.hour
     ) back
     WHERE sold.day IS NOT NULL OR back.day IS NOT NULL
     RETURNING day::text AS day`,
    [keys],
  );
  return [...before, ...after];
}

async function refreshProducts({ query }: Queries, products: readonly object[]): Promise<void> {
  if (products.length === 0) return;
  const keys = JSON.stringify(products);
  await query(
    `DELETE FROM sales_products old USING ${PRODUCTS}
     WHERE old.day = key.day AND old.restaurant_id = key.restaurant_id AND old.product_id = key.product_id`,
    [keys],
  );
  await query(
    `INSERT INTO sales_products (restaurant_id, day, product_id, name, quantity_e4, amount_cents)
     SELECT key.restaurant_id, key.day, key.product_id, sold.name, sold.quantity_e4, sold.amount_cents
     FROM ${PRODUCTS} CROSS JOIN LATERAL (
       SELECT coalesce(max(l.name), '') AS name, sum(l.quantity_e4) AS quantity_e4, sum(l.amount_cents) AS amount_cents
       FROM check_lines l
       WHERE l.restaurant_id = key.restaurant_id AND l.day = key.day AND l.product_id = key.product_id
     ) sold
     WHERE sold.amount_cents IS NOT NULL`,
    [keys],
  );
}
