import type { ChainBeat } from "@comanda/protocol/chain.ts";
import type { Queries } from "../db/database.ts";
import { Refusal } from "../refusal.ts";

/** What is known of a restaurant by now: its last word, and how far its checks are here. */
export interface KnownRestaurant {
  id: string;
  name: string;
  groups: string[];
  contact: string;
  hubId: string | null;
  addedAt: Date;
  enrolledAt: Date | null;
  heardAt: Date | null;
  /** Since when it has been offline; null while it is not. */
  offlineSince: Date | null;
  beat: ChainBeat | null;
  /** Of the cursor, where that is of the hub that is there now. */
  seq: number | null;
  isFullDone: boolean | null;
  copyOf: Date | null;
  /** When another hub that claims to be the same was refused last. */
  rivalAt: Date | null;
}

/** The groups that somebody is bound to; null for all restaurants. */
export type Scope = readonly string[] | null;

/** A condition of SQL: the restaurant `r` is in the scope that is the parameter `$n`. */
export const isInScope = (n: number): string =>
  `($${n}::text[] IS NULL OR EXISTS (
     SELECT 1 FROM restaurant_groups own WHERE own.restaurant_id = r.id AND own.name = ANY($${n})))`;

/** What another hub had sent says nothing of the one that has taken its place. */
const isOwnCursor = "(r.hub_id IS NULL OR c.hub_id = r.hub_id)";

/** The restaurants of a scope that are not closed for good, by name; `id` for one of them. */
export function readRestaurants(
  { query }: Queries,
  scope: Scope,
  id: string | null = null,
): Promise<KnownRestaurant[]> {
  return query<KnownRestaurant>(
    `SELECT r.id, r.name, r.contact, r.hub_id AS "hubId", r.created_at AS "addedAt", r.enrolled_at AS "enrolledAt",
       ARRAY(SELECT g.name FROM restaurant_groups g
             WHERE g.restaurant_id = r.id AND ($1::text[] IS NULL OR g.name = ANY($1)) ORDER BY g.name) AS groups,
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

/** One of the scope. Throws a Refusal where there is none with this id. */
export async function requireRestaurant(queries: Queries, scope: Scope, id: string): Promise<KnownRestaurant> {
  const [known] = await readRestaurants(queries, scope, id);
  if (known === undefined) throw new Refusal("NOT_FOUND", "there is no such restaurant");
  return known;
}
