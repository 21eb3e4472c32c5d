import { DAY_MS } from "@comanda/protocol";
import type { Database } from "../db/database.ts";
import { createFailureLog } from "../failure-log.ts";
import { createJob } from "../loop.ts";
import type { World } from "../world.ts";

const FIRST_MS = 10_000;
const EVERY_MS = 60_000;
/** How long after its start a day is summed: restaurants that were offline in the evening have sent it by that time. */
const OVER_AFTER_MS = 2 * DAY_MS;

/** SQL: the groups of each restaurant, and an empty name for the group of all restaurants. */
const GROUPS = "(SELECT id AS restaurant_id, unnest(array_append(groups, '')) AS name FROM restaurants) g";

export type DaySums = ReturnType<typeof createDaySums>;

/**
 * Adds up past days for reports over weeks and months: a month of 500 restaurants is 900,000 rows by restaurant and dish, and
 * 1,800 by dish. The rows of a day that is not over change with each check, so they would have to be added up again each
 * time.
 */
export function createDaySums({ database }: { database: Database }, world: World) {
  async function sumDays(): Promise<void> {
    const until = new Date(world.now() - OVER_AFTER_MS).toISOString().slice(0, 10);
    // Steps from day to day by the index, because the table has millions of rows.
    const days = await database.query<{ day: string }>(
      `WITH RECURSIVE days AS (
         SELECT min(day) AS day FROM sales_hours
         UNION ALL SELECT (SELECT min(s.day) FROM sales_hours s WHERE s.day > days.day) FROM days WHERE day IS NOT NULL)
       SELECT day::text AS day FROM days
       WHERE day <= $1 AND NOT EXISTS (SELECT 1 FROM summed_days d WHERE d.day = days.day) ORDER BY days.day DESC`,
      [until],
    );
    for (const { day } of days) {
      if (job.isStopped()) return;
      await sumDay(day);
    }
  }

  async function sumDay(day: string): Promise<void> {
    await database.transaction(async ({ query }) => {
      // A transaction that changes a day deletes from this table. The lock keeps it waiting until the sums are committed.
      await query("LOCK TABLE summed_days IN SHARE ROW EXCLUSIVE MODE");
      for (const table of ["summed_restaurants", "summed_hours", "summed_products", "summed_days"]) {
        await query(`DELETE FROM ${table} WHERE day = $1`, [day]);
      }
      await query(
        `INSERT INTO summed_restaurants (day, restaurant_id, checks, paid_cents)
         SELECT day, restaurant_id, sum(checks), sum(paid_cents)
         FROM sales_hours WHERE day = $1 GROUP BY day, restaurant_id`,
        [day],
      );
      await query(
        `INSERT INTO summed_hours
           (day, group_name, clock_hour, checks, guests, paid_cents, refunded_cents, discount_cents, void_cents)
         SELECT s.day, g.name, s.clock_hour, sum(s.checks), sum(s.guests), sum(s.paid_cents), sum(s.refunded_cents),
           sum(s.discount_cents), sum(s.void_cents)
         FROM sales_hours s JOIN ${GROUPS} ON g.restaurant_id = s.restaurant_id
         WHERE s.day = $1 GROUP BY s.day, g.name, s.clock_hour`,
        [day],
      );
      await query(
        `INSERT INTO summed_products (day, group_name, product_id, name, quantity_e4, amount_cents)
         SELECT s.day, g.name, s.product_id, max(s.name), sum(s.quantity_e4), sum(s.amount_cents)
         FROM sales_products s JOIN ${GROUPS} ON g.restaurant_id = s.restaurant_id
         WHERE s.day = $1 GROUP BY s.day, g.name, s.product_id`,
        [day],
      );
      await query("INSERT INTO summed_days (day) VALUES ($1)", [day]);
    });
  }

  const failures = createFailureLog(world.log, {
    fails: "the days that are over cannot be added up; it is tried again",
    worksAgain: "the days that are over are added up again",
  });
  const job = createJob(sumDays, { firstMs: FIRST_MS, everyMs: EVERY_MS, failures });
  return {
    ...job,
    /** Adds up each past day that has no sums. Runs once a minute by itself. */
    sumDays,
  };
}
