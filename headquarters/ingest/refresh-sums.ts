import type { Queries } from "../db/database.ts";

/** The hours and days of restaurants whose sums have to be computed anew. */
export type Touched = ReturnType<typeof createTouched>;

/** Sums from before `since` (ms since 1970) stay as they are: their checks may be gone already. */
export function createTouched(since: number) {
  const firstDay = new Date(since).toISOString().slice(0, 10);
  const hours = new Map<string, object>();
  const days = new Map<string, object>();
  return {
    add(restaurant: string, { day, hour }: { day: string | null; hour: Date | string | null }): void {
      const at = hour === null ? null : new Date(hour);
      if (at !== null && at.getTime() >= since) {
        const from = at.toISOString();
        hours.set(`${restaurant} ${from}`, { restaurant_id: restaurant, hour: from });
      }
      if (day !== null && day >= firstDay) days.set(`${restaurant} ${day}`, { restaurant_id: restaurant, day });
    },
    hours: (): object[] => [...hours.values()],
    days: (): object[] => [...days.values()],
  };
}

const HOURS = "jsonb_to_recordset($1::text::jsonb) AS key (restaurant_id TEXT, hour TIMESTAMPTZ)";
const DAYS = "jsonb_to_recordset($1::text::jsonb) AS key (restaurant_id TEXT, day DATE)";

/** Computes them anew from the rows of their keys: whatever comes twice cannot be counted twice. */
export async function refreshSums({ query }: Queries, touched: Touched): Promise<void> {
  const hours = touched.hours();
  if (hours.length > 0) {
    const keys = JSON.stringify(hours);
    await query(
      `DELETE FROM sales_hours old USING ${HOURS} WHERE old.restaurant_id = key.restaurant_id AND old.hour = key.hour`,
      [keys],
    );
    await query(
      `INSERT INTO sales_hours
         (restaurant_id, hour, day, checks, guests, paid_cents, refunded_cents, discount_cents, void_cents)
       SELECT restaurant_id, hour, coalesce(sold.day, back.day), coalesce(sold.checks, 0), coalesce(sold.guests, 0),
         coalesce(sold.paid, 0), coalesce(back.refunded, 0), coalesce(sold.discounts, 0), coalesce(sold.voids, 0)
       FROM (
         SELECT c.restaurant_id, c.hour, min(c.day) AS day, count(c.paid_at) AS checks,
           sum(c.guests) FILTER (WHERE c.paid_at IS NOT NULL) AS guests, sum(c.paid_cents) AS paid,
           sum(c.discount_cents) AS discounts, sum(c.void_cents) AS voids
         FROM ${HOURS} JOIN checks c ON c.restaurant_id = key.restaurant_id AND c.hour = key.hour
         WHERE NOT c.is_gone GROUP BY c.restaurant_id, c.hour
       ) sold FULL JOIN (
         SELECT r.restaurant_id, r.hour, min(r.day) AS day, sum(r.amount_cents) AS refunded
         FROM ${HOURS} JOIN refunds r ON r.restaurant_id = key.restaurant_id AND r.hour = key.hour
         JOIN checks c ON c.restaurant_id = r.restaurant_id AND c.pos_reference = r.pos_reference
         WHERE NOT c.is_gone GROUP BY r.restaurant_id, r.hour
       ) back USING (restaurant_id, hour)`,
      [keys],
    );
  }
  const days = touched.days();
  if (days.length === 0) return;
  const keys = JSON.stringify(days);
  await query(
    `DELETE FROM sales_products old USING ${DAYS} WHERE old.restaurant_id = key.restaurant_id AND old.day = key.day`,
    [keys],
  );
  await query(
    `INSERT INTO sales_products (restaurant_id, day, product_id, name, quantity_e4, amount_cents)
     SELECT l.restaurant_id, l.day, coalesce(l.product_id, ''), coalesce(max(l.name), ''), sum(l.quantity_e4),
       sum(l.amount_cents)
     FROM ${DAYS} JOIN check_lines l ON l.restaurant_id = key.restaurant_id AND l.day = key.day
     JOIN checks c ON c.restaurant_id = l.restaurant_id AND c.pos_reference = l.pos_reference
     WHERE NOT c.is_gone GROUP BY l.restaurant_id, l.day, coalesce(l.product_id, '')`,
    [keys],
  );
}
