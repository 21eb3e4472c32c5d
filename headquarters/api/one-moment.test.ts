import { Client } from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { missingPostgres, startPostgres } from "../test/postgres-server.ts";
import { signInOwner, startTestApi } from "../test/start-test-api.ts";

const DAY = "2026-11-20";

it.skipIf(missingPostgres !== null)(
  "the parts of the sales add up to the total while checks arrive [HQ-123]",
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const url = postgres.url("postgres");
    const api = await startTestApi({ url });
    onTestFinished(() => api.stop());
    const owner = await signInOwner(api);
    const writer = new Client({ connectionString: url });
    await writer.connect();
    onTestFinished(() => writer.end());
    const write = (checks: number): Promise<unknown> =>
      writer.query(`
      DELETE FROM sales_hours;
      DELETE FROM sales_products;
      INSERT INTO sales_hours (restaurant_id, hour, clock_hour, day, checks, guests, paid_cents, refunded_cents,
        discount_cents, void_cents)
      VALUES ('naco', '${DAY}T23:00:00Z', 19, '${DAY}', ${checks}, 0, ${checks * 10_000}, 0, 0, 0);
      INSERT INTO sales_products (restaurant_id, day, product_id, name, quantity_e4, amount_cents)
      VALUES ('naco', '${DAY}', '7', 'Mofongo', ${checks * 10_000}, ${checks * 10_000})`);
    await writer.query("INSERT INTO restaurants (id, name, created_at) VALUES ('naco', 'Naco', now())");
    await write(1);

    // Another check arrives after the hours were read and before the dishes are.
    await writer.query("BEGIN; LOCK TABLE sales_products IN ACCESS EXCLUSIVE MODE");
    const answering = owner.get(`/sales?from=${DAY}&to=${DAY}`);
    await vi.waitUntil(async () => {
      const waiting = await api.database.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
      return waiting.length > 0;
    });
    await write(2);
    await writer.query("COMMIT");
    const { totals, products, restaurants } = (await answering).body;
    expect([totals.paid, products[0].amount, restaurants[0].paid]).toEqual([100, 100, 100]);
  },
);
