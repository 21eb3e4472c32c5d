import { isDeepStrictEqual } from "node:util";
import { chainDigest, type ChainDigest } from "@comanda/protocol/chain.ts";
import { digestOf } from "../codes.ts";
import type { Queries } from "../db/database.ts";
import type { Collected } from "./collected.ts";

/** Older differing days are ignored: the hub may no longer have everything of them. */
export const DIFFERING_DAYS = 45;

/**
 * Compares the restaurants' digests of days with the checks here, and stores both. Returns the restaurants with a day that
 * begins to differ: they are asked once to send everything again.
 */
export async function compareDigests(queries: Queries, { digests }: Collected, now: Date): Promise<string[]> {
  const differing: string[] = [];
  for (const { restaurant_id: restaurant, digest } of digests) {
    const { isEqual, paid } = await compare(queries, restaurant, digest);
    const [before] = await queries.query<{ isEqual: boolean }>(
      `SELECT is_equal AS "isEqual" FROM digests WHERE restaurant_id = $1 AND day = $2`,
      [restaurant, digest.day],
    );
    await queries.query(
      `INSERT INTO digests (restaurant_id, day, at, body, is_equal, paid_here) VALUES ($1, $2, $3, $4::text::jsonb, $5, $6)
       ON CONFLICT (restaurant_id, day) DO UPDATE SET at = $3, body = $4::text::jsonb, is_equal = $5, paid_here = $6`,
      [restaurant, digest.day, now, JSON.stringify(digest), isEqual, paid],
    );
    if (!isEqual && before?.isEqual !== false) differing.push(restaurant);
  }
  return differing;
}

/**
 * Returns whether a day here equals the hub's digest, and the number of paid checks here. Counts only what the current hub has
 * (the latest `full_id`), because checks that a former hub sold are not in its digest.
 */
async function compare({ query }: Queries, restaurant: string, reported: ChainDigest) {
  const rows = await query<{ posReference: string; version: number; isRemoved: boolean; totalCents: number }>(
    `SELECT pos_reference AS "posReference", version, is_removed AS "isRemoved", total_cents AS "totalCents"
     FROM checks JOIN cursors USING (restaurant_id, full_id) WHERE restaurant_id = $1 AND day = $2 AND NOT is_gone`,
    [restaurant, reported.day],
  );
  const paid = rows.filter(({ isRemoved }) => !isRemoved);
  const here = chainDigest(reported.day, { paid, removed: rows.length - paid.length }, digestOf);
  return { isEqual: isDeepStrictEqual(here, reported), paid: here.paid };
}
