import { DAY_MS } from "@comanda/protocol";
import type { DesiredState } from "@comanda/protocol/proposals.ts";
import type { Queries } from "../db/database.ts";

/** A restaurant may act on a proposal until its last moment, by a clock that is slightly off. */
const GRACE_MS = DAY_MS;

/** Returns a time: proposals that end before it are over at every restaurant. */
export const expiryCutoff = (now: number): Date => new Date(now - GRACE_MS);

/**
 * Returns an SQL condition: proposal `p` is in the document of the restaurant of state `s`. It is not withdrawn or expired, and
 * was not rejected there. Applied ones stay: a hub restored from a backup applies them again. `$n`: `expiryCutoff`.
 */
export const isProposed = (n: number): string =>
  `(p.withdrawn_at IS NULL AND p.until_at > $${n} AND coalesce(s.outcome->>'state', '') IN ('', 'waiting', 'conflict', 'applied'))`;

/** The revision of a restaurant's document. */
export interface DocumentRevision {
  id: string;
  rev: number;
}

/** Returns the revisions of all restaurants that are not closed for good. */
export function readRevisions({ query }: Queries): Promise<DocumentRevision[]> {
  return query<DocumentRevision>(
    `SELECT r.id, coalesce(d.rev, 0) AS rev FROM restaurants r LEFT JOIN desired_states d ON d.restaurant_id = r.id
     WHERE NOT r.is_closed ORDER BY r.id`,
  );
}

export async function readDocuments(
  { query }: Queries,
  ids: readonly string[],
  now: number,
): Promise<{ id: string; document: DesiredState }[]> {
  const rows = await query<{ id: string } & DesiredState>(
    `SELECT r.id, coalesce(d.rev, 0) AS rev, (
       SELECT coalesce(jsonb_agg(
         p.body || jsonb_build_object('id', p.id, 'version', p.version, 'by', p.made_by,
           'items', coalesce(s.items, p.body->'items')) ORDER BY p.place), '[]')
       FROM proposal_states s JOIN proposals p ON p.id = s.proposal_id
       WHERE s.restaurant_id = r.id AND ${isProposed(2)}) AS proposals
     FROM restaurants r LEFT JOIN desired_states d ON d.restaurant_id = r.id WHERE r.id = ANY($1)`,
    [ids, expiryCutoff(now)],
  );
  return rows.map(({ id, rev, proposals }) => ({ id, document: { rev, proposals } }));
}

/** Gives the documents of restaurants a new revision, in the transaction that changes them. */
export async function renewDocuments({ query }: Queries, restaurants: readonly string[], now: number): Promise<void> {
  // In a fixed order, to avoid deadlocks.
  await query(
    `INSERT INTO desired_states (restaurant_id, rev) SELECT id, $2 FROM unnest($1::text[]) AS new (id) ORDER BY id
     ON CONFLICT (restaurant_id) DO UPDATE SET rev = greatest(desired_states.rev + 1, EXCLUDED.rev)`,
    [restaurants, Math.floor(now)],
  );
}

/** Raises revisions above those at NATS, which are newer if the database was restored from a backup. */
export async function raiseRevisions({ query }: Queries, revisions: readonly DocumentRevision[]): Promise<void> {
  if (revisions.length === 0) return;
  await query(
    `INSERT INTO desired_states (restaurant_id, rev)
     SELECT id, rev + 1 FROM unnest($1::text[], $2::bigint[]) AS new (id, rev) ORDER BY id
     ON CONFLICT (restaurant_id) DO UPDATE SET rev = greatest(desired_states.rev, EXCLUDED.rev)`,
    [revisions.map(({ id }) => id), revisions.map(({ rev }) => rev)],
  );
}
