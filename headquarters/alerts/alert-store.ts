import { isDeepStrictEqual } from "node:util";
import type { HqAlert } from "@comanda/protocol/headquarters.ts";
import type { Queries } from "../db/database.ts";
import { isInScope, type Scope } from "./restaurants.ts";

type Severity = HqAlert["severity"];
type Values = HqAlert["values"];

/** What is wrong somewhere: one alert each, as long as it is. */
export interface Cause {
  key: string;
  kind: string;
  severity: Severity;
  restaurantId: string | null;
  group: string | null;
  since: number;
  values: Values;
}

interface Row extends Omit<HqAlert, "id" | "since" | "clearedAt"> {
  id: number;
  since: Date;
  clearedAt: Date | null;
}

const columns = `a.id, a.kind, a.severity, a.restaurant_id AS "restaurantId", r.name AS "restaurantName",
  r.contact, a.group_name AS "group", a.since, a.cleared_at AS "clearedAt", a.taken_by AS "takenBy", a.facts AS "values"`;
/** Those of restaurants and groups of the scope `$1`, and those of the whole chain. */
const visible = `(CASE WHEN a.restaurant_id IS NOT NULL THEN ${isInScope(1)}
  ELSE a.group_name IS NULL OR $1::text[] IS NULL OR a.group_name = ANY($1) END)`;
const from = "FROM alerts a LEFT JOIN restaurants r ON r.id = a.restaurant_id";

/** What befell the whole chain, at how many of all restaurants, is no matter of those who see some of them. */
function present(row: Row, scope: Scope): HqAlert {
  const isOfChain = row.restaurantId === null && row.group === null;
  return {
    ...row,
    id: String(row.id),
    values: scope !== null && isOfChain ? {} : row.values,
    since: row.since.toISOString(),
    clearedAt: row.clearedAt?.toISOString() ?? null,
  };
}

/** The open ones of a scope, what wakes somebody first; of one restaurant where it is named. */
export async function openAlerts({ query }: Queries, scope: Scope, restaurantId: string | null = null) {
  const rows = await query<Row>(
    `SELECT ${columns} ${from} WHERE a.cleared_at IS NULL AND ${visible} AND ($2::text IS NULL OR a.restaurant_id = $2)
     ORDER BY a.severity, a.since DESC, a.id`,
    [scope, restaurantId],
  );
  return rows.map((row) => present(row, scope));
}

/** What somebody is to be woken for and was not told yet, and what has ended since they were told; the oldest first. */
export async function untoldPages({ query }: Queries): Promise<HqAlert[]> {
  const rows = await query<Row>(
    `SELECT ${columns} ${from}
     WHERE (a.told IS NULL AND a.cleared_at IS NULL AND a.severity = 'page')
       OR (a.told = 'open' AND a.cleared_at IS NOT NULL)
     ORDER BY a.id`,
  );
  return rows.map((row) => present(row, null));
}

/** The newest that are over since a time (ms since 1970), and how many more there are. */
export async function clearedAlerts({ query }: Queries, scope: Scope, after: number) {
  const rows = await query<Row & { count: number }>(
    `SELECT ${columns}, count(*) OVER () AS count ${from}
     WHERE a.cleared_at > $2 AND ${visible} ORDER BY a.cleared_at DESC, a.id DESC LIMIT 200`,
    [scope, new Date(after)],
  );
  const moreCleared = (rows[0]?.count ?? 0) - rows.length;
  const cleared = rows.map((row) => {
    const { count: _, ...alert } = row;
    return present(alert, scope);
  });
  return { cleared, moreCleared };
}

/** Notes who sees to an alert. Null where none of the scope is open with this id. */
export async function takeAlert({ query }: Queries, id: number, scope: Scope, by: string | null) {
  const [row] = await query<Row>(
    `WITH taken AS (
       UPDATE alerts SET taken_by = $3 WHERE id = $2 AND cleared_at IS NULL AND id IN (
         SELECT a.id ${from} WHERE a.id = $2 AND ${visible})
       RETURNING *)
     SELECT ${columns} FROM taken a LEFT JOIN restaurants r ON r.id = a.restaurant_id`,
    [scope, id, by],
  );
  return row === undefined ? null : present(row, scope);
}

/** What is open, in few words, by restaurant. */
export async function openAlertsByRestaurant({ query }: Queries) {
  const rows = await query<{ restaurantId: string; kind: string; severity: Severity }>(
    `SELECT restaurant_id AS "restaurantId", kind, severity FROM alerts
     WHERE cleared_at IS NULL AND restaurant_id IS NOT NULL ORDER BY severity, kind`,
  );
  return Map.groupBy(rows, ({ restaurantId }) => restaurantId);
}

/**
 * Makes the open alerts be these causes: opens what is new, changes what has become worse or better, clears what is over.
 * Those whose kind begins with one of `leaves` stay as they are. Answers whether anything changed.
 */
export async function settleAlerts(
  { query }: Queries,
  causes: readonly Cause[],
  { now, leaves }: { now: number; leaves: readonly string[] },
): Promise<boolean> {
  const open = await query<{ id: number; key: string; severity: Severity; values: Values }>(
    `SELECT id, key, severity, facts AS "values" FROM alerts
     WHERE cleared_at IS NULL AND NOT EXISTS (SELECT 1 FROM unnest($1::text[]) AS left_as (kind)
       WHERE starts_with(alerts.kind, left_as.kind)) FOR UPDATE`,
    [leaves],
  );
  const byKey = new Map(open.map((each) => [each.key, each]));
  let hasChanged = false;
  for (const { key, kind, severity, restaurantId, group, since, values } of causes) {
    const known = byKey.get(key);
    byKey.delete(key);
    if (known === undefined) {
      await query(
        `INSERT INTO alerts (key, kind, severity, restaurant_id, group_name, since, facts)
         VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb) ON CONFLICT DO NOTHING`,
        [key, kind, severity, restaurantId, group, new Date(since), JSON.stringify(values)],
      );
    } else if (known.severity !== severity || !isDeepStrictEqual(known.values, values)) {
      await query("UPDATE alerts SET severity = $2, facts = $3::jsonb WHERE id = $1", [
        known.id,
        severity,
        JSON.stringify(values),
      ]);
    } else continue;
    hasChanged = true;
  }
  if (byKey.size === 0) return hasChanged;
  const over = [...byKey.values()].map(({ id }) => id);
  await query("UPDATE alerts SET cleared_at = $1 WHERE id = ANY($2::bigint[])", [new Date(now), over]);
  return true;
}
