import { DAY_MS, hoursIntoDay } from "@comanda/protocol";
import type { HqSales } from "@comanda/protocol/headquarters.ts";
import type { z } from "zod";
import { coverageOf } from "../alerts/coverage.ts";
import type { LagWatch } from "../alerts/lag-watch.ts";
import { isInScope, readRestaurants, type Scope } from "../alerts/restaurants.ts";
import { inSnapshot } from "../db/in-snapshot.ts";
import type { Database, Queries } from "../db/database.ts";
import { Refusal } from "../refusal.ts";
import { daysIn } from "../sums/days-in.ts";
import { readHoles, readSoldProducts, readSums, readSumsByRestaurant, type Sum } from "./read-sales.ts";
import { compareNames } from "@comanda/protocol/compare-names.ts";
import { scopeOf } from "./scope.ts";
import type { Handlers } from "./serve-api.ts";

const MAX_DAYS = 400;
/** By this long after the start of its date (UTC) a business day has ended in every time zone. */
const DAY_IS_OVER_MS = 2 * DAY_MS;

type Sales = z.input<typeof HqSales>;

export function salesRoute({ database, lag, now }: { database: Database; lag: LagWatch; now: () => number }) {
  return {
    async sales({ caller, query: { from, to, group = null, restaurant = null } }) {
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
      if (days < 0) throw new Refusal("VALIDATION_ERROR", "to: is before from");
      if (days >= MAX_DAYS) throw new Refusal("VALIDATION_ERROR", `to: at most ${MAX_DAYS} days`);
      const filter = { scope: scopeOf(caller), group, restaurant };
      return inSnapshot(database, async (queries) => {
        const counted = await readCounted(queries, filter);
        const countedIds = new Set(counted.map(({ id }) => id));
        const sumsGroup = groupWithSums(filter);
        const sumsQuery = {
          days: await daysIn(queries, from, to),
          ids: sumsGroup === "" ? null : [...countedIds],
          group: sumsGroup,
        };
        const sold = await readSumsByRestaurant(queries, sumsQuery);
        const restaurants = await readRestaurants(queries, filter.scope, restaurant);
        const holes = await readHoles(queries, { from, to, ids: sumsQuery.ids });
        const names = new Map(counted.map(({ id, name }) => [id, name]));
        return {
          ...present(await readSums(queries, sumsQuery)),
          restaurants: sold
            .map(({ id, checks, paid }) => ({ id, name: names.get(id) ?? "", checks, paid: paid / 100 }))
            .toSorted((a, b) => b.paid - a.paid || compareNames(a, b)),
          ...(await readSoldProducts(queries, sumsQuery)),
          coverage: coverageOf(
            restaurants.filter(({ id }) => countedIds.has(id)),
            lag,
            now(),
            { complete: Date.parse(to) + DAY_IS_OVER_MS, holes },
          ),
        };
      });
    },
  } satisfies Partial<Handlers>;
}

/** Returns the group whose day sums can be used: empty for all restaurants, null if there is none. */
function groupWithSums({ scope, group, restaurant }: SalesFilter): string | null {
  if (restaurant !== null) return null;
  if (scope === null) return group ?? "";
  const [only, ...more] = group === null ? scope : scope.filter((name) => name === group);
  return only !== undefined && more.length === 0 ? only : null;
}

interface SalesFilter {
  scope: Scope;
  group: string | null;
  restaurant: string | null;
}

/** Returns the restaurants to sum, including those closed for good: their sales still count. */
function readCounted(
  { query }: Queries,
  { scope, group, restaurant }: SalesFilter,
): Promise<{ id: string; name: string }[]> {
  return query(
    `SELECT r.id, r.name FROM restaurants r
     WHERE ${isInScope(1)} AND ($2::text IS NULL OR r.id = $2) AND ($3::text IS NULL OR $3 = ANY(r.groups))`,
    [scope, restaurant, group],
  );
}

function present(sums: readonly Sum[]): Pick<Sales, "totals" | "hours" | "days"> {
  const hours = sums.flatMap(({ hour, checks, paid }) => (hour === null ? [] : [{ hour, checks, paid: paid / 100 }]));
  const days = sums.flatMap(({ day, checks, paid }) => (day === null ? [] : [{ day, checks, paid: paid / 100 }]));
  const totals = sums.find(({ hour, day }) => hour === null && day === null);
  if (totals === undefined) throw new Error("the sums lack that of all");
  const { checks, guests, paid, refunded, discounts, voids } = totals;
  return {
    totals: {
      checks,
      guests,
      paid: paid / 100,
      refunded: refunded / 100,
      discounts: discounts / 100,
      voids: voids / 100,
    },
    hours: hours.toSorted((a, b) => hoursIntoDay(a.hour) - hoursIntoDay(b.hour)),
    days: days.toSorted((a, b) => a.day.localeCompare(b.day)),
  };
}
