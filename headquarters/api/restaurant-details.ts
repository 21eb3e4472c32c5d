import { DAY_MS } from "@comanda/protocol";
import type { HqRestaurant } from "@comanda/protocol/headquarters.ts";
import type { Database } from "../db/database.ts";
import type { Sent } from "../sent.ts";

const MAX_CHECKS = 100;
const OUTAGE_DAYS = 30;
const DIGEST_DAYS = 14;

type Details = Sent<Pick<HqRestaurant, "checks" | "outages" | "holes" | "digests">>;

/** Returns what headquarters have of a restaurant besides its last beat. Each list has the newest first. */
export async function readDetails({ query }: Database, id: string, now: number): Promise<Details> {
  const [checks, outages, holes, digests] = await Promise.all([
    // Leaves out checks from a history that the restaurant lost.
    query<Details["checks"][number] & { totalCents: number }>(
      `SELECT pos_reference AS "posReference", opened_at AS "openedAt", paid_at AS "paidAt", total_cents AS "totalCents",
         staff_name AS "staffName", CASE WHEN is_removed THEN
           jsonb_build_object('reason', removal->'reason', 'by', removal->'by') END AS removed
       FROM checks WHERE restaurant_id = $1 AND NOT is_gone ORDER BY updated_at DESC LIMIT ${MAX_CHECKS}`,
      [id],
    ),
    query<Details["outages"][number]>(
      `SELECT began_at AS "from", ended_at AS until FROM outages
       WHERE restaurant_id = $1 AND coalesce(ended_at, 'infinity') > $2 ORDER BY began_at DESC LIMIT 500`,
      [id, new Date(now - OUTAGE_DAYS * DAY_MS)],
    ),
    query<Details["holes"][number]>(
      `SELECT from_seq AS "from", to_seq AS "to", cause, at FROM holes WHERE restaurant_id = $1 ORDER BY id DESC`,
      [id],
    ),
    query<Details["digests"][number]>(
      `SELECT day::text AS day, is_equal AS "isEqual", (body->>'paid')::int AS paid, paid_here AS "paidHere"
       FROM digests WHERE restaurant_id = $1 ORDER BY day DESC LIMIT ${DIGEST_DAYS}`,
      [id],
    ),
  ]);
  return {
    checks: checks.map(({ totalCents, ...check }) => ({ ...check, total: totalCents / 100 })),
    outages,
    holes,
    digests,
  };
}
