import type { ChainBeat } from "@comanda/protocol/chain.ts";
import type { Queries } from "../db/database.ts";
import { Refusal } from "../refusal.ts";

/** A restaurant with its last beat, and how far its checks have arrived here. */
export interface RestaurantStatus {
  id: string;
  name: string;
  groups: string[];
  contact: string;
  hubId: string | null;
  addedAt: Date;
  enrolledAt: Date | null;
  heardAt: Date | null;
  /** When it went offline; null while it is not. */
  offlineSince: Date | null;
  beat: ChainBeat | null;
  /** From the cursor; null if there is none, or if it belongs to a hub that was replaced. */
  seq: number | null;
  isFullDone: boolean | null;
  copyOf: Date | null;
  /** When a second hub that claims to be this restaurant was last refused. */
  rivalAt: Date | null;
}

/** The groups that a caller is limited to; null for all restaurants. */
export type Scope = readonly string[] | null;

/** Returns an SQL condition: the restaurant `r` is in the scope in parameter `$n`. */
export const isInScope = (n: number): string => `($${n}::text[] IS NULL OR r.groups && $${n})`;

/** The cursor of a replaced hub says nothing about its successor. */
const isOwnCursor = "(r.hub_id IS NULL OR c.hub_id = r.hub_id)";

/** Returns the restaurants of a scope that are not closed for good, by name; only the one with `id` if it is given. */
export function readRestaurants(
  { query }: Queries,
  scope: Scope,
  id: string | null = null,
): Promise<RestaurantStatus[]> {
  return query<RestaurantStatus>(
    `SELECT r.id, r.name, r.contact, r.hub_id AS "hubId", r.created_at AS "addedAt", r.enrolled_at AS "enrolledAt",
       ARRAY(SELECT name FROM unnest(r.groups) AS name WHERE $1::text[] IS NULL OR name = ANY($1)) AS groups,
       (SELECT o.began_at FROM outages o WHERE o.restaurant_id = r.id AND o.ended_at IS NULL) AS "offlineSince",
       b.heard_at AS "heardAt", b.body AS beat,
       CASE WHEN ${isOwnCursor} THEN c.seq END AS seq,
       CASE WHEN ${isOwnCursor} THEN c.is_full_done END AS "isFullDone", c.copy_of AS "copyOf",
       c.rival_at AS "rivalAt"
     FROM restaurants r LEFT JOIN beats b ON b.restaurant_id = r.id LEFT JOIN cursors c ON c.restaurant_id = r.id
     WHERE NOT r.is_closed AND ${isInScope(1)} AND ($2::text IS NULL OR r.id = $2)
     ORDER BY r.name, r.id`,
    [scope, id],
  );
}

/** Returns a restaurant of the scope. Throws NOT_FOUND if there is none with this id. */
export async function requireRestaurant(queries: Queries, scope: Scope, id: string): Promise<RestaurantStatus> {
  const [restaurant] = await readRestaurants(queries, scope, id);
  if (restaurant === undefined) throw new Refusal("NOT_FOUND", "there is no such restaurant");
  return restaurant;
}
