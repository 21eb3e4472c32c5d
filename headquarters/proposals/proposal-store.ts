import { randomUUID } from "node:crypto";
import type { ProposalOutcome, ProposalTerms } from "@comanda/protocol/proposals.ts";
import { type HqProposal, type HqProposalRow, HqProposalState } from "@comanda/protocol/headquarters.ts";
import { isInScope, type Scope } from "../alerts/restaurants.ts";
import type { Queries } from "../db/database.ts";
import type { Sent } from "../sent.ts";
import { Refusal } from "../refusal.ts";
import { isProposed, expiryCutoff, renewDocuments } from "./document-store.ts";

const MAX_PROPOSALS = 100;
/** Limits of a restaurant's document: NATS refuses 1 MiB. */
const MAX_PROPOSED = 200;
const MAX_PROPOSED_BYTES = 900_000;

/** A restaurant that a proposal is made to. `items` replace those of the terms; null keeps the terms' items. */
interface Recipient {
  id: string;
  items: ProposalTerms["items"] | null;
}

/** A proposal with its restaurants and, if there is one, the proposal that undid it. */
export interface ProposalRecord {
  id: string;
  terms: ProposalTerms;
  withdrawnAt: Date | null;
  undoneBy: string | null;
  restaurants: string[];
  /** How many of its restaurants are outside the scope that it was read with. */
  outOfScope: number;
}

/** Creates a proposal and renews the documents of its restaurants. Returns its id. Throws VALIDATION_ERROR if one is full. */
export async function makeProposal(
  queries: Queries,
  { terms, to, by, undoes }: { terms: ProposalTerms; to: readonly Recipient[]; by: string; undoes: string | null },
  now: number,
): Promise<string> {
  const id = randomUUID();
  const restaurants = to.map((each) => each.id);
  // From here on, other proposals to these restaurants wait for this transaction.
  await renewDocuments(queries, restaurants, now);
  await queries.query(
    `INSERT INTO proposals (id, version, body, made_at, made_by, until_at, undoes)
     VALUES ($1, 1, $2::text::jsonb, $3, $4, $5, $6)`,
    [id, JSON.stringify(terms), new Date(now), by, new Date(terms.until), undoes],
  );
  await queries.query(
    `INSERT INTO proposal_states (proposal_id, restaurant_id, items)
     SELECT $1, id, items FROM jsonb_to_recordset($2::text::jsonb) AS new (id TEXT, items JSONB)`,
    [id, JSON.stringify(to.map((each) => ({ id: each.id, ...(each.items !== null && { items: each.items }) })))],
  );
  await requireRoom(queries, restaurants, now);
  return id;
}

/** Throws VALIDATION_ERROR with the names of restaurants whose document would be too large. */
async function requireRoom({ query }: Queries, restaurants: readonly string[], now: number): Promise<void> {
  const full = await query<{ name: string }>(
    `SELECT r.name FROM restaurants r JOIN proposal_states s ON s.restaurant_id = r.id
       JOIN proposals p ON p.id = s.proposal_id
     WHERE r.id = ANY($1) AND ${isProposed(2)}
     GROUP BY r.id, r.name
     HAVING count(*) > ${MAX_PROPOSED} OR sum(octet_length(p.body::text) + octet_length(coalesce(s.items::text, '')))
       > ${MAX_PROPOSED_BYTES}
     ORDER BY r.name`,
    [restaurants, expiryCutoff(now)],
  );
  if (full.length > 0) {
    throw new Refusal("VALIDATION_ERROR", `restaurants that have too much to decide on already: ${namesOf(full)}`);
  }
}

/** Joins the names of the first 20 restaurants. */
export function namesOf(restaurants: readonly { name: string }[]): string {
  const names = restaurants.slice(0, 20).map(({ name }) => name);
  return restaurants.length > names.length ? `${names.join(", ")}, …` : names.join(", ");
}

/** Locks a proposal until the transaction ends and returns it; null unless at least one of its restaurants is in the scope. */
export async function lockProposal({ query }: Queries, scope: Scope, id: string): Promise<ProposalRecord | null> {
  await query("SELECT 1 FROM proposals WHERE id = $1 FOR UPDATE", [id]);
  const [row] = await query<ProposalRecord>(
    `SELECT p.id, p.body AS terms, p.withdrawn_at AS "withdrawnAt",
       (SELECT undo.id FROM proposals undo WHERE undo.undoes = p.id) AS "undoneBy",
       array_agg(r.id ORDER BY r.id) AS restaurants, count(*) FILTER (WHERE NOT ${isInScope(1)}) AS "outOfScope"
     FROM proposals p JOIN proposal_states s ON s.proposal_id = p.id JOIN restaurants r ON r.id = s.restaurant_id
     WHERE p.id = $2 GROUP BY p.id`,
    [scope, id],
  );
  return row === undefined || row.outOfScope === row.restaurants.length ? null : row;
}

/** Withdraws a proposal and removes it from all documents. */
export async function withdrawProposal(
  queries: Queries,
  { id, restaurants }: ProposalRecord,
  now: number,
): Promise<void> {
  await queries.query("UPDATE proposals SET withdrawn_at = $2 WHERE id = $1", [id, new Date(now)]);
  await renewDocuments(queries, restaurants, now);
}

/** Returns the outcomes of a proposal at restaurants that applied it and are not closed for good. */
export function readApplied({ query }: Queries, id: string) {
  return query<{ id: string; items: ProposalTerms["items"]; outcome: ProposalOutcome }>(
    `SELECT r.id, coalesce(s.items, p.body->'items') AS items, s.outcome
     FROM proposals p JOIN proposal_states s ON s.proposal_id = p.id JOIN restaurants r ON r.id = s.restaurant_id
     WHERE p.id = $1 AND s.outcome->>'state' = 'applied' AND NOT r.is_closed ORDER BY r.id`,
    [id],
  );
}

/** The context of a read: scope, time (ms since 1970), and ids of the restaurants that are offline. */
export interface ReadContext {
  scope: Scope;
  now: number;
  unreachable: readonly string[];
}

/** SQL: the state that is shown for state `s` of proposal `p`. `$2`: `expiryCutoff`; `$3`: ids of offline restaurants. */
const STATE = `CASE
  WHEN coalesce(s.outcome->>'state', '') NOT IN ('', 'waiting', 'conflict') THEN s.outcome->>'state'
  WHEN p.until_at <= $2 THEN 'expired'
  WHEN s.outcome IS NOT NULL THEN s.outcome->>'state'
  WHEN p.withdrawn_at IS NOT NULL THEN 'withdrawn'
  WHEN s.restaurant_id = ANY($3) THEN 'unreachable'
  ELSE 'sent' END`;

/** Returns an SQL condition: the proposal was made to a restaurant of the scope in parameter `$1`. */
const isVisible = (proposal: string): string =>
  `EXISTS (SELECT 1 FROM proposal_states s JOIN restaurants r ON r.id = s.restaurant_id
     WHERE s.proposal_id = ${proposal}.id AND ${isInScope(1)})`;

/** `isWhole`: all its restaurants are in the scope. */
type ReadProposal = Omit<HqProposalRow, "mayChange" | "madeAt" | "withdrawnAt"> & {
  madeAt: Date;
  withdrawnAt: Date | null;
  isWhole: boolean;
};
/** `own`: for a region, the items of its restaurants that have their own; null if none have. */
type Row = Omit<ReadProposal, "states"> & { own: ProposalTerms["items"][] | null };

/** Returns the newest proposals to restaurants of the scope, with a count by state; only the one with `id` if it is given. */
export async function readProposals(
  { query }: Queries,
  { scope, now, unreachable }: ReadContext,
  id: string | null = null,
): Promise<ReadProposal[]> {
  const rows = await query<Row>(
    `SELECT p.id, p.body AS terms, p.made_by AS by, p.made_at AS "madeAt", p.withdrawn_at AS "withdrawnAt", p.undoes,
       (SELECT undo.id FROM proposals undo WHERE undo.undoes = p.id AND ${isVisible("undo")}) AS "undoneBy",
       ($1::text[] IS NULL OR NOT EXISTS (
         SELECT 1 FROM proposal_states s JOIN restaurants r ON r.id = s.restaurant_id
         WHERE s.proposal_id = p.id AND NOT ${isInScope(1)})) AS "isWhole",
       CASE WHEN $1::text[] IS NOT NULL THEN (
         SELECT jsonb_agg(s.items ORDER BY r.id) FROM proposal_states s JOIN restaurants r ON r.id = s.restaurant_id
         WHERE s.proposal_id = p.id AND s.items IS NOT NULL AND ${isInScope(1)}) END AS own
     FROM proposals p
     WHERE ($2::text IS NULL OR p.id = $2) AND ${isVisible("p")}
     ORDER BY p.place DESC LIMIT ${MAX_PROPOSALS}`,
    [scope, id],
  );
  const counts = await query<{ id: string; state: HqProposalState; restaurants: number }>(
    `SELECT p.id, ${STATE} AS state, count(*) AS restaurants
     FROM proposals p JOIN proposal_states s ON s.proposal_id = p.id JOIN restaurants r ON r.id = s.restaurant_id
     WHERE p.id = ANY($4) AND ${isInScope(1)} GROUP BY 1, 2`,
    [scope, expiryCutoff(now), unreachable, rows.map((row) => row.id)],
  );
  const byProposal = Map.groupBy(counts, (count) => count.id);
  const order = (state: HqProposalState): number => HqProposalState.options.indexOf(state);
  return rows.map(({ own, ...row }) => ({
    ...row,
    terms: own === null ? row.terms : withItems(row.terms, own),
    states: (byProposal.get(row.id) ?? [])
      .map(({ state, restaurants }) => ({ state, restaurants }))
      .toSorted((a, b) => order(a.state) - order(b.state)),
  }));
}

/** Returns the terms with one item for each key that any restaurant has, as the first of them has it. */
export function withItems(terms: ProposalTerms, all: readonly ProposalTerms["items"][]): ProposalTerms {
  const byKey = new Map<string, unknown>();
  for (const item of all.flat()) if (!byKey.has(item.key)) byKey.set(item.key, item);
  return { ...terms, items: [...byKey.values()] } as ProposalTerms;
}

/** Returns the state of a proposal at each restaurant of the scope, ordered by name. */
export function readStates(
  { query }: Queries,
  { scope, now, unreachable }: ReadContext,
  id: string,
): Promise<Sent<HqProposal>["restaurants"][number][]> {
  return query(
    `SELECT r.id, r.name, ${STATE} AS state, s.at, b.heard_at AS "lastSeenAt", s.outcome
     FROM proposals p JOIN proposal_states s ON s.proposal_id = p.id JOIN restaurants r ON r.id = s.restaurant_id
       LEFT JOIN beats b ON b.restaurant_id = r.id
     WHERE p.id = $4 AND ${isInScope(1)} ORDER BY r.name, r.id`,
    [scope, expiryCutoff(now), unreachable, id],
  );
}
