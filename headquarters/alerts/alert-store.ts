import { isDeepStrictEqual } from "node:util";
import type { HqAlert } from "@comanda/protocol/headquarters.ts";
import type { Queries } from "../db/database.ts";
import { isInScope, type Scope } from "./restaurants.ts";

type Severity = HqAlert["severity"];
type Values = HqAlert["values"];

/** A current problem. It has one open alert for as long as it lasts. */
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
/** SQL condition: the alert is of a restaurant or group in the scope `$1`, or of the whole chain. */
const visible = `(CASE WHEN a.restaurant_id IS NOT NULL THEN ${isInScope(1)}
  ELSE a.group_name IS NULL OR $1::text[] IS NULL OR a.group_name = ANY($1) END)`;
const from = "FROM alerts a LEFT JOIN restaurants r ON r.id = a.restaurant_id";

/** Hides from callers with a limited scope how many restaurants a chain-wide alert affects. */
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

/** Returns the open alerts of a scope, pages first; only those of `restaurantId` if it is given. */
export async function openAlerts({ query }: Queries, scope: Scope, restaurantId: string | null = null) {
  const rows = await query<Row>(
    `SELECT ${columns} ${from} WHERE a.cleared_at IS NULL AND ${visible} AND ($2::text IS NULL OR a.restaurant_id = $2)
     ORDER BY a.severity, a.since DESC, a.id`,
    [scope, restaurantId],
  );
  return rows.map((row) => present(row, scope));
}

/** Returns pages that were not sent yet, and sent ones whose end was not; the oldest first. */
export async function unsentPages({ query }: Queries): Promise<HqAlert[]> {
  const rows = await query<Row>(
    `SELECT ${columns} ${from}
     WHERE (a.told IS NULL AND a.cleared_at IS NULL AND a.severity = 'page')
       OR (a.told = 'open' AND a.cleared_at IS NOT NULL)
     ORDER BY a.id`,
  );
  return rows.map((row) => present(row, null));
}

/** Returns the newest alerts cleared after a time (ms since 1970), and the number of further ones. */
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

/** Records who takes care of an alert, or null for no one. Returns null if the scope has no open alert with this id. */
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

/** Returns the kind and severity of open alerts by restaurant id. */
export async function openAlertsByRestaurant({ query }: Queries) {
  const rows = await query<{ restaurantId: string; kind: string; severity: Severity }>(
    `SELECT restaurant_id AS "restaurantId", kind, severity FROM alerts
     WHERE cleared_at IS NULL AND restaurant_id IS NOT NULL ORDER BY severity, kind`,
  );
  return Map.groupBy(rows, ({ restaurantId }) => restaurantId);
}

/**
 * Makes the open alerts match these causes: opens new alerts, updates changed ones and clears those without a cause.
 * Does not touch alerts whose kind begins with one of `skippedKinds`. Returns whether anything changed.
 */
export async function settleAlerts(
  { query }: Queries,
  causes: readonly Cause[],
  { now, skippedKinds }: { now: number; skippedKinds: readonly string[] },
): Promise<boolean> {
  const open = await query<{ id: number; key: string; severity: Severity; values: Values }>(
    `SELECT id, key, severity, facts AS "values" FROM alerts
     WHERE cleared_at IS NULL AND NOT EXISTS (SELECT 1 FROM unnest($1::text[]) AS left_as (kind)
       WHERE starts_with(alerts.kind, left_as.kind)) FOR UPDATE`,
    [skippedKinds],
  );
  const byKey = new Map(open.map((each) => [each.key, each]));
  let hasChanged = false;
  for (const { key, kind, severity, restaurantId, group, since, values } of causes) {
    const existing = byKey.get(key);
    byKey.delete(key);
    if (existing === undefined) {
      await query(
        `INSERT INTO alerts (key, kind, severity, restaurant_id, group_name, since, facts)
         VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb) ON CONFLICT DO NOTHING`,
        [key, kind, severity, restaurantId, group, new Date(since), JSON.stringify(values)],
      );
    } else if (existing.severity !== severity || !isDeepStrictEqual(existing.values, values)) {
      await query("UPDATE alerts SET severity = $2, facts = $3::jsonb WHERE id = $1", [
        existing.id,
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
