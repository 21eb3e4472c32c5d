import type { HqSales } from "@comanda/protocol/headquarters.ts";
import type { z } from "zod";
import { coverageOf } from "../alerts/coverage.ts";
import type { LagWatch } from "../alerts/lag-watch.ts";
import { isInScope, readRestaurants, type Scope } from "../alerts/restaurants.ts";
import type { Database, Queries } from "../db/database.ts";
import { Refusal } from "../refusal.ts";
import { scopeOf } from "./scope.ts";
import type { Handlers } from "./serve-api.ts";

const DAY_MS = 86_400_000;
const MOST_DAYS = 400;
const MOST_PRODUCTS = 500;
/** A business day ends in the night after its date, wherever the restaurant is: figures of later than this are complete. */
const DAY_IS_OVER_MS = 2 * DAY_MS;

type Sales = z.input<typeof HqSales>;

export function salesRoute(deps: { database: Database; lag: LagWatch; now: () => number }): Pick<Handlers, "sales"> {
  const { database, lag, now } = deps;
  return {
    async sales({ caller, query: { from, to, group = null, restaurant = null } }) {
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
      if (days < 0) throw new Refusal("VALIDATION_ERROR", "to: is before from");
      if (days >= MOST_DAYS) throw new Refusal("VALIDATION_ERROR", `to: at most ${MOST_DAYS} days`);
      const scope = scopeOf(caller);
      const counted = await readCounted(database, { scope, group, restaurant });
      const isCounted = new Set(counted.map(({ id }) => id));
      // Those of all are summed without asking of each row whether it is one of them.
      const ids = scope === null && group === null && restaurant === null ? null : [...isCounted];
      const [sums, products, known] = await Promise.all([
        readSums(database, from, to, ids),
        readProducts(database, from, to, ids),
        readRestaurants(database, scope, restaurant),
      ]);
      const names = new Map(counted.map(({ id, name }) => [id, name]));
      return {
        ...present(sums, names),
        products,
        coverage: coverageOf(
          known.filter(({ id }) => isCounted.has(id)),
          lag,
          now(),
          Date.parse(to) + DAY_IS_OVER_MS,
        ),
      };
    },
  };
}

/** The restaurants that are summed. Those that were closed for good are: what they sold was sold. */
function readCounted(
  { query }: Queries,
  { scope, group, restaurant }: { scope: Scope; group: string | null; restaurant: string | null },
): Promise<{ id: string; name: string }[]> {
  return query(
    `SELECT r.id, r.name FROM restaurants r
     WHERE ${isInScope(1)} AND ($2::text IS NULL OR r.id = $2) AND ($3::text IS NULL OR EXISTS (
       SELECT 1 FROM restaurant_groups g WHERE g.restaurant_id = r.id AND g.name = $3))`,
    [scope, restaurant, group],
  );
}

interface Sum {
  hour: Date | null;
  day: string | null;
  restaurantId: string | null;
  checks: number;
  guests: number;
  paid: number;
  refunded: number;
  discounts: number;
  voids: number;
}

/** By hour, by day, by restaurant and of all, read once. */
function readSums({ query }: Queries, from: string, to: string, ids: readonly string[] | null): Promise<Sum[]> {
  return query<Sum>(
    `SELECT hour, day::text AS day, restaurant_id AS "restaurantId", sum(checks)::bigint AS checks,
       sum(guests)::bigint AS guests, sum(paid_cents)::bigint AS paid, sum(refunded_cents)::bigint AS refunded,
       sum(discount_cents)::bigint AS discounts, sum(void_cents)::bigint AS voids
     FROM sales_hours WHERE day BETWEEN $1 AND $2 AND ($3::text[] IS NULL OR restaurant_id = ANY($3))
     GROUP BY GROUPING SETS ((hour), (day), (restaurant_id), ())`,
    [from, to, ids],
  );
}

async function readProducts({ query }: Queries, from: string, to: string, ids: readonly string[] | null) {
  const rows = await query<{ productId: string; name: string; quantity: number; amount: number }>(
    `SELECT product_id AS "productId", max(name) AS name, sum(quantity_e4)::bigint AS quantity,
       sum(amount_cents)::bigint AS amount
     FROM sales_products WHERE day BETWEEN $1 AND $2 AND ($3::text[] IS NULL OR restaurant_id = ANY($3))
     GROUP BY product_id ORDER BY amount DESC, product_id LIMIT ${MOST_PRODUCTS}`,
    [from, to, ids],
  );
  return rows.map(({ quantity, amount, ...row }) => ({ ...row, quantity: quantity / 10_000, amount: amount / 100 }));
}

function present(sums: readonly Sum[], names: ReadonlyMap<string, string>): Omit<Sales, "coverage" | "products"> {
  const sales: Omit<Sales, "coverage" | "products"> = {
    totals: { checks: 0, guests: 0, paid: 0, refunded: 0, discounts: 0, voids: 0 },
    hours: [],
    days: [],
    restaurants: [],
  };
  for (const sum of sums) {
    const { hour, day, restaurantId, checks } = sum;
    const paid = sum.paid / 100;
    if (hour !== null) sales.hours.push({ hour: hour.toISOString(), checks, paid });
    else if (day !== null) sales.days.push({ day, checks, paid });
    else if (restaurantId !== null) {
      sales.restaurants.push({ id: restaurantId, name: names.get(restaurantId) ?? "", checks, paid });
    } else if (checks !== null) {
      sales.totals = {
        checks,
        guests: sum.guests,
        paid,
        refunded: sum.refunded / 100,
        discounts: sum.discounts / 100,
        voids: sum.voids / 100,
      };
    }
  }
  sales.hours.sort((a, b) => a.hour.localeCompare(b.hour));
  sales.days.sort((a, b) => a.day.localeCompare(b.day));
  sales.restaurants.sort((a, b) => b.paid - a.paid || a.name.localeCompare(b.name, "es"));
  return sales;
}
