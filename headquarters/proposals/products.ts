import { DAY_MS } from "@comanda/protocol";
import type { HqProducts } from "@comanda/protocol/headquarters.ts";
import { isInScope, type Scope } from "../alerts/restaurants.ts";
import type { Queries } from "../db/database.ts";
import { daysIn } from "../sums/days-in.ts";

const SOLD_DAYS = 90;
const MAX_PRODUCTS = 2_000;

/** Returns the products of a scope that a proposal can name, each with the name of its latest sale, or else its id. */
export async function readProducts(queries: Queries, scope: Scope, now: number): Promise<HqProducts["products"]> {
  const [from, to] = [SOLD_DAYS * DAY_MS, -DAY_MS].map((ago) => new Date(now - ago).toISOString().slice(0, 10));
  const { summed, fresh } = await daysIn(queries, from ?? "", to ?? "");
  return queries.query<HqProducts["products"][number]>(
    `WITH sold AS (
       SELECT DISTINCT ON (product_id) product_id, name FROM (
         SELECT product_id, name, max(day) AS day FROM summed_products
         WHERE day = ANY($2::date[]) AND product_id <> '' AND group_name = ANY(coalesce($1, ARRAY[''])) GROUP BY 1, 2
         UNION ALL
         SELECT product_id, name, max(day) AS day FROM sales_products
         WHERE day = ANY($3::date[]) AND product_id <> '' AND ($1::text[] IS NULL OR restaurant_id IN (
           SELECT id FROM restaurants WHERE groups && $1)) GROUP BY 1, 2) names
       ORDER BY product_id, day DESC, name),
     missing AS (
       SELECT i.product_id, count(*) AS places FROM item_states i JOIN restaurants r ON r.id = i.restaurant_id
       WHERE i.body->>'state' = 'out' AND NOT r.is_closed AND ${isInScope(1)} GROUP BY 1)
     SELECT product_id AS "productId", coalesce(sold.name, product_id) AS name, coalesce(missing.places, 0) AS "outAt"
     FROM sold FULL JOIN missing USING (product_id) ORDER BY 2, 1 LIMIT ${MAX_PRODUCTS}`,
    [scope, summed, fresh],
  );
}
