import { randomUUID } from "node:crypto";
import type { ProposalOutcome, ProposalTerms } from "@comanda/protocol/proposals.ts";
import { type HqProposal, type HqProposalRow, HqProposalState } from "@comanda/protocol/headquarters.ts";
import { isInScope, type Scope } from "../alerts/restaurants.ts";
import type { Queries } from "../db/database.ts";
import type { Sent } from "../sent.ts";
import { Refusal } from "../refusal.ts";
import { isProposed, overBefore, renewDocuments } from "./document-store.ts";

const NEWEST = 100;
/** What the document of a restaurant is allowed to hold: NATS refuses 1 MiB. */
const MAX_PROPOSED = 200;
const MAX_PROPOSED_BYTES = 900_000;

/** Whom a proposal is made to; `items`: its own ones in place of those of the terms. */
interface Addressee {
  id: string;
  items: ProposalTerms["items"] | null;
}

/** A proposal as it was made, and who else has to do with it. */
export interface Made {
  id: string;
  terms: ProposalTerms;
  withdrawnAt: Date | null;
  undoneBy: string | null;
  restaurants: string[];
  /** Restaurants of the proposal that are out of the scope that it was read with. */
  outOfScope: number;
}

/** Makes a proposal, and the documents of its restaurants new ones. Answers its id. */
export async function makeProposal(
  queries: Queries,
  { terms, to, by, undoes }: { terms: ProposalTerms; to: readonly Addressee[]; by: string; undoes: string | null },
  now: number,
): Promise<string> {
  const id = randomUUID();
  const restaurants = to.map((each) => each.id);
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
  // From here on whoever proposes something to one of them waits for this.
  await renewDocuments(queries, restaurants, now);
  await requireRoom(queries, restaurants, now);
  return id;
}

/** Refuses what would make a document too large, by the restaurants' names. */
async function requireRoom({ query }: Queries, restaurants: readonly string[], now: number): Promise<void> {
  const full = await query<{ name: string }>(
    `SELECT r.name FROM restaurants r JOIN proposal_states s ON s.restaurant_id = r.id
       JOIN proposals p ON p.id = s.proposal_id
     WHERE r.id = ANY($1) AND ${isProposed(2)}
     GROUP BY r.id, r.name
     HAVING count(*) > ${MAX_PROPOSED} OR sum(octet_length(p.body::text) + octet_length(coalesce(s.items::text, '')))
       > ${MAX_PROPOSED_BYTES}
     ORDER BY r.name`,
    [restaurants, overBefore(now)],
  );
  if (full.length > 0) {
    throw new Refusal("VALIDATION_ERROR", `restaurants that have too much to decide on already: ${namesOf(full)}`);
  }
}

/** The first of a list that may be long. */
export function namesOf(restaurants: readonly { name: string }[]): string {
  const names = restaurants.slice(0, 20).map(({ name }) => name);
  return restaurants.length > names.length ? `${names.join(", ")}, …` : names.join(", ");
}

/** A proposal that is in the scope with one restaurant at least, locked until the transaction ends; null where none is. */
export async function lockProposal({ query }: Queries, scope: Scope, id: string): Promise<Made | null> {
  await query("SELECT 1 FROM proposals WHERE id = $1 FOR UPDATE", [id]);
  const [row] = await query<Made>(
    `SELECT p.id, p.body AS terms, p.withdrawn_at AS "withdrawnAt",
       (SELECT undo.id FROM proposals undo WHERE undo.undoes = p.id) AS "undoneBy",
       array_agg(r.id ORDER BY r.id) AS restaurants, count(*) FILTER (WHERE NOT ${isInScope(1)}) AS "outOfScope"
     FROM proposals p JOIN proposal_states s ON s.proposal_id = p.id JOIN restaurants r ON r.id = s.restaurant_id
     WHERE p.id = $2 GROUP BY p.id`,
    [scope, id],
  );
  return row === undefined || row.outOfScope === row.restaurants.length ? null : row;
}

/** Takes it out of all documents. */
export async function withdrawProposal(queries: Queries, { id, restaurants }: Made, now: number): Promise<void> {
  await queries.query("UPDATE proposals SET withdrawn_at = $2 WHERE id = $1", [id, new Date(now)]);
  await renewDocuments(queries, restaurants, now);
}

/** What became of a proposal where it was applied, at restaurants that are not closed for good. */
export function readApplied({ query }: Queries, id: string) {
  return query<{ id: string; items: ProposalTerms["items"]; outcome: ProposalOutcome }>(
    `SELECT r.id, coalesce(s.items, p.body->'items') AS items, s.outcome
     FROM proposals p JOIN proposal_states s ON s.proposal_id = p.id JOIN restaurants r ON r.id = s.restaurant_id
     WHERE p.id = $1 AND s.outcome->>'state' = 'applied' AND NOT r.is_closed ORDER BY r.id`,
    [id],
  );
}

/** How to read: for whom, when, and which restaurants are not there. */
export interface Reading {
  scope: Scope;
  now: number;
  unreachable: readonly string[];
}

/** The state (SQL) of the state `s` of the proposal `p`; `$2`: `overBefore`, `$3`: restaurants that are not there. */
const STATE = `CASE
  WHEN coalesce(s.outcome->>'state', '') NOT IN ('', 'waiting', 'conflict') THEN s.outcome->>'state'
  WHEN p.until_at <= $2 THEN 'expired'
  WHEN s.outcome IS NOT NULL THEN s.outcome->>'state'
  WHEN p.withdrawn_at IS NOT NULL THEN 'withdrawn'
  WHEN s.restaurant_id = ANY($3) THEN 'unreachable'
  ELSE 'sent' END`;

/** A condition of SQL: the proposal was made to a restaurant of the scope that is the parameter `$1`. */
const isSeen = (proposal: string): string =>
  `EXISTS (SELECT 1 FROM proposal_states s JOIN restaurants r ON r.id = s.restaurant_id
     WHERE s.proposal_id = ${proposal}.id AND ${isInScope(1)})`;

/** `isWhole`: all its restaurants are in the scope. */
type ReadProposal = Omit<HqProposalRow, "mayChange" | "madeAt" | "withdrawnAt"> & {
  madeAt: Date;
  withdrawnAt: Date | null;
  isWhole: boolean;
};
/** `own`: of a region, the items of its restaurants that have others than the terms; null where none has. */
type Row = Omit<ReadProposal, "states"> & { own: ProposalTerms["items"][] | null };

/** The newest proposals to restaurants of the scope, and how far they are there; `id` for one of them. */
export async function readProposals(
  { query }: Queries,
  { scope, now, unreachable }: Reading,
  id: string | null = null,
): Promise<ReadProposal[]> {
  const rows = await query<Row>(
    `SELECT p.id, p.body AS terms, p.made_by AS by, p.made_at AS "madeAt", p.withdrawn_at AS "withdrawnAt", p.undoes,
       (SELECT undo.id FROM proposals undo WHERE undo.undoes = p.id AND ${isSeen("undo")}) AS "undoneBy",
       ($1::text[] IS NULL OR NOT EXISTS (
         SELECT 1 FROM proposal_states s JOIN restaurants r ON r.id = s.restaurant_id
         WHERE s.proposal_id = p.id AND NOT ${isInScope(1)})) AS "isWhole",
       CASE WHEN $1::text[] IS NOT NULL THEN (
         SELECT jsonb_agg(s.items ORDER BY r.id) FROM proposal_states s JOIN restaurants r ON r.id = s.restaurant_id
         WHERE s.proposal_id = p.id AND s.items IS NOT NULL AND ${isInScope(1)}) END AS own
     FROM proposals p
     WHERE ($2::text IS NULL OR p.id = $2) AND ${isSeen("p")}
     ORDER BY p.made_at DESC, p.id LIMIT ${NEWEST}`,
    [scope, id],
  );
  const counts = await query<{ id: string; state: HqProposalState; restaurants: number }>(
    `SELECT p.id, ${STATE} AS state, count(*) AS restaurants
     FROM proposals p JOIN proposal_states s ON s.proposal_id = p.id JOIN restaurants r ON r.id = s.restaurant_id
     WHERE p.id = ANY($4) AND ${isInScope(1)} GROUP BY 1, 2`,
    [scope, overBefore(now), unreachable, rows.map((row) => row.id)],
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

/** With an item for each key of any restaurant, as the first one has it. */
export function withItems(terms: ProposalTerms, all: readonly ProposalTerms["items"][]): ProposalTerms {
  const byKey = new Map<string, unknown>();
  for (const item of all.flat()) if (!byKey.has(item.key)) byKey.set(item.key, item);
  return { ...terms, items: [...byKey.values()] } as ProposalTerms;
}

/** What became of a proposal at each restaurant of the scope, by name. */
export function readStates(
  { query }: Queries,
  { scope, now, unreachable }: Reading,
  id: string,
): Promise<Sent<HqProposal>["restaurants"][number][]> {
  return query(
    `SELECT r.id, r.name, ${STATE} AS state, s.at, b.heard_at AS "lastSeenAt", s.outcome
     FROM proposals p JOIN proposal_states s ON s.proposal_id = p.id JOIN restaurants r ON r.id = s.restaurant_id
       LEFT JOIN beats b ON b.restaurant_id = r.id
     WHERE p.id = $4 AND ${isInScope(1)} ORDER BY r.name, r.id`,
    [scope, overBefore(now), unreachable, id],
  );
}
