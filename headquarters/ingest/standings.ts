import type { Queries } from "../db/database.ts";
import { DIFFERING_DAYS } from "./digests.ts";
import { initialStanding, type Standing } from "./assess-batch.ts";

/** A restaurant as the ingester needs it. */
export interface IngestState {
  /** The hub that was enrolled last; null if none may send. */
  hubId: string | null;
  standing: Standing;
  /** The time that its checks here are as of, by its own clock (ms since 1970). */
  copyOf: number | null;
}

/** SQL: the fields of a standing from the cursor `c`. */
const COLUMNS = `c.hub_id AS "hubId", c.generation, c.epoch, c.seq, c.fact_id AS "factId",
  c.is_full_done AS "isFullDone", c.full_id AS "fullId", c.transfer, c.is_full_wanted AS "isFullWanted",
  ARRAY(SELECT day::text FROM digests d WHERE d.restaurant_id = c.restaurant_id AND NOT is_equal
        AND day > c.copy_of::date - ${DIFFERING_DAYS} ORDER BY day DESC LIMIT 7) AS differing`;

/** The fields of the standing are null if the restaurant has no cursor. */
type Row = { id: string; enrolledHubId: string | null; copyOf: Date | null } & (
  | Standing
  | (Omit<Standing, "hubId"> & { hubId: null })
);

/** Locks the standings of restaurants until the transaction ends, and returns them. Leaves out unknown restaurants. */
export async function lockStandings(
  { query }: Queries,
  restaurants: readonly string[],
): Promise<Map<string, IngestState>> {
  // In a fixed order, to avoid deadlocks.
  await query("SELECT 1 FROM cursors WHERE restaurant_id = ANY($1) ORDER BY restaurant_id FOR UPDATE", [restaurants]);
  const rows = await query<Row>(
    `SELECT r.id, r.hub_id AS "enrolledHubId", c.copy_of AS "copyOf", ${COLUMNS}
     FROM restaurants r LEFT JOIN cursors c ON c.restaurant_id = r.id WHERE r.id = ANY($1)`,
    [restaurants],
  );
  return new Map(
    rows.map(({ id, enrolledHubId: hubId, copyOf, ...cursor }) => {
      const standing = cursor.hubId === null ? initialStanding : cursor;
      return [id, { hubId, standing, copyOf: copyOf?.getTime() ?? null }];
    }),
  );
}

/** Returns a restaurant's standing as of the last commit. */
export async function readStanding({ query }: Queries, restaurant: string): Promise<Standing> {
  const [row] = await query<Standing>(`SELECT ${COLUMNS} FROM cursors c WHERE c.restaurant_id = $1`, [restaurant]);
  return row ?? initialStanding;
}

export async function readStandings({ query }: Queries): Promise<Map<string, Standing>> {
  const rows = await query<Standing & { id: string }>(`SELECT c.restaurant_id AS id, ${COLUMNS} FROM cursors c`);
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

/** Requests a full transfer from a restaurant. */
export async function requestFull({ query }: Queries, restaurant: string): Promise<void> {
  await query("UPDATE cursors SET is_full_wanted = TRUE WHERE restaurant_id = $1", [restaurant]);
}
