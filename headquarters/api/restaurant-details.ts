import { DAY_MS } from "@comanda/protocol";
import type { HoleCause, HqCheck, HqRestaurant } from "@comanda/protocol/headquarters.ts";
import type { Database } from "../db/database.ts";

const MOST_CHECKS = 100;
const OUTAGE_DAYS = 30;
const DIGEST_DAYS = 14;

type Details = Pick<HqRestaurant, "checks" | "outages" | "holes" | "digests">;

/** What headquarters have of a restaurant beside its last word: the newest checks first. */
export async function readDetails(database: Database, id: string, now: number): Promise<Details> {
  const [checks, outages, holes, digests] = await Promise.all([
    readChecks(database, id),
    database.query<{ from: Date; until: Date | null }>(
      `SELECT began_at AS "from", ended_at AS until FROM outages
       WHERE restaurant_id = $1 AND coalesce(ended_at, 'infinity') > $2 ORDER BY began_at DESC LIMIT 500`,
      [id, new Date(now - OUTAGE_DAYS * DAY_MS)],
    ),
    database.query<{ from: number; to: number; cause: HoleCause; at: Date }>(
      `SELECT from_seq AS "from", to_seq AS "to", cause, at FROM holes WHERE restaurant_id = $1 ORDER BY id DESC`,
      [id],
    ),
    database.query<Details["digests"][number]>(
      `SELECT day::text AS day, is_equal AS "isEqual", (body->>'paid')::int AS paid, paid_here AS "paidHere"
       FROM digests WHERE restaurant_id = $1 ORDER BY day DESC LIMIT ${DIGEST_DAYS}`,
      [id],
    ),
  ]);
  return {
    checks,
    outages: outages.map(({ from, until }) => ({
      from: from.toISOString(),
      until: until?.toISOString() ?? null,
    })),
    holes: holes.map((hole) => ({ ...hole, at: hole.at.toISOString() })),
    digests,
  };
}

interface CheckRow {
  posReference: string;
  status: string;
  openedAt: Date;
  updatedAt: Date;
  paidAt: Date | null;
  totalCents: number;
  tableId: number | null;
  staffName: string | null;
  isRemoved: boolean;
  removedAt: Date | null;
  removal: { reason?: string; by?: string } | null;
}

/** Those of a history that the restaurant lost are not among them. */
async function readChecks(database: Database, id: string): Promise<HqCheck[]> {
  const rows = await database.query<CheckRow>(
    `SELECT pos_reference AS "posReference", status, opened_at AS "openedAt", updated_at AS "updatedAt",
       paid_at AS "paidAt", total_cents AS "totalCents", table_id AS "tableId", staff_name AS "staffName",
       is_removed AS "isRemoved", removed_at AS "removedAt", removal
     FROM checks WHERE restaurant_id = $1 AND NOT is_gone ORDER BY updated_at DESC LIMIT ${MOST_CHECKS}`,
    [id],
  );
  return rows.map(({ totalCents, isRemoved, removedAt, removal, openedAt, updatedAt, paidAt, ...row }) => ({
    ...row,
    openedAt: openedAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    paidAt: paidAt?.toISOString() ?? null,
    total: totalCents / 100,
    removed: isRemoved
      ? {
          at: (removedAt ?? updatedAt).toISOString(),
          reason: removal?.reason ?? null,
          by: removal?.by ?? null,
        }
      : null,
  }));
}
