import { DAY_MS } from "@comanda/protocol";
import type { HqProducts } from "@comanda/protocol/headquarters.ts";
import { isInScope, type Scope } from "../alerts/restaurants.ts";
import type { Queries } from "../db/database.ts";

const SOLD_DAYS = 90;
const AT_MOST = 2_000;

/** The dishes of a scope that something can be proposed of, each by the name of its newest sale, or its id without one. */
export function readProducts({ query }: Queries, scope: Scope, now: number): Promise<HqProducts["products"]> {
  return query<HqProducts["products"][number]>(
    `WITH r AS (SELECT r.id FROM restaurants r WHERE NOT r.is_closed AND ${isInScope(1)}),
     -- The day has ten characters: the greatest text has the name of the newest sale.
     sold AS (
       SELECT product_id, substr(max(day::text || name), 11) AS name
       FROM sales_products JOIN r ON r.id = restaurant_id WHERE day >= $2::date AND product_id <> '' GROUP BY product_id),
     missing AS (
       SELECT product_id, count(*) AS places
       FROM item_states JOIN r ON r.id = restaurant_id WHERE body->>'state' = 'out' GROUP BY product_id)
     SELECT product_id AS "productId", coalesce(sold.name, product_id) AS name, coalesce(missing.places, 0) AS "outAt"
     FROM sold FULL JOIN missing USING (product_id) ORDER BY 2, 1 LIMIT ${AT_MOST}`,
    [scope, new Date(now - SOLD_DAYS * DAY_MS).toISOString().slice(0, 10)],
  );
}
