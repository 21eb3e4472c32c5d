import type { Queries } from "../db/database.ts";
import { DIFFERING_DAYS } from "./digests.ts";
import { nothingYet, type Standing } from "./judge.ts";

/** A restaurant as the ingester needs it. */
export interface KnownRestaurant {
  /** The hub that was enrolled last; null where none may send. */
  hubId: string | null;
  standing: Standing;
  /** As of when its checks are here, by its own clock (ms since 1970). */
  copyOf: number | null;
}

interface Row extends Omit<Standing, "hubId"> {
  id: string;
  hubId: string | null;
  cursorHubId: string | null;
}

const COLUMNS = `c.hub_id AS "cursorHubId", c.generation, c.epoch, c.seq, c.fact_id AS "factId",
  c.is_full_done AS "isFullDone", c.full_id AS "fullId", c.transfer, c.is_full_wanted AS "isFullWanted",
  ARRAY(SELECT day::text FROM digests d WHERE d.restaurant_id = c.restaurant_id AND NOT is_equal
        AND day > c.copy_of::date - ${DIFFERING_DAYS} ORDER BY day DESC LIMIT 7) AS differing`;

/** Where restaurants stand, locked until the transaction ends. One that is not known is not in the answer. */
export async function lockStandings(
  { query }: Queries,
  restaurants: readonly string[],
): Promise<Map<string, KnownRestaurant>> {
  // In one order, so that two of these never wait for each other.
  await query("SELECT 1 FROM cursors WHERE restaurant_id = ANY($1) ORDER BY restaurant_id FOR UPDATE", [restaurants]);
  const rows = await query<Row & { copyOf: Date | null }>(
    `SELECT r.id, r.hub_id AS "hubId", c.copy_of AS "copyOf", ${COLUMNS}
     FROM restaurants r LEFT JOIN cursors c ON c.restaurant_id = r.id WHERE r.id = ANY($1)`,
    [restaurants],
  );
  return new Map(
    rows.map((row) => {
      const { id, hubId, copyOf } = row;
      return [id, { hubId, standing: standingOf(row), copyOf: copyOf?.getTime() ?? null }];
    }),
  );
}

/** Where a restaurant stands after its last commit. */
export async function readStanding({ query }: Queries, restaurant: string): Promise<Standing> {
  const [row] = await query<Row>(`SELECT ${COLUMNS} FROM cursors c WHERE c.restaurant_id = $1`, [restaurant]);
  return row === undefined ? nothingYet : standingOf(row);
}

export async function readStandings({ query }: Queries): Promise<Map<string, Standing>> {
  const rows = await query<Row>(`SELECT c.restaurant_id AS id, ${COLUMNS} FROM cursors c`);
  return new Map(rows.map((row) => [row.id, standingOf(row)]));
}

function standingOf(row: Row): Standing {
  const { cursorHubId, generation, epoch, seq, factId, isFullDone, fullId, transfer, isFullWanted, differing } = row;
  if (cursorHubId === null) return nothingYet;
  return { hubId: cursorHubId, generation, epoch, seq, factId, isFullDone, fullId, transfer, isFullWanted, differing };
}

/** Everything of a restaurant is to come once more. */
export async function wantFull({ query }: Queries, restaurant: string): Promise<void> {
  await query("UPDATE cursors SET is_full_wanted = TRUE WHERE restaurant_id = $1", [restaurant]);
}
