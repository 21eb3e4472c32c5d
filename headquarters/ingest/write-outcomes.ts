import { ProposalOutcome } from "@comanda/protocol/proposals.ts";
import type { Queries } from "../db/database.ts";
import type { Collected } from "./collected.ts";

/** The kind of facts that report the outcome of a proposal. */
const KIND = "proposal";
/** The most items that a proposal may have. */
const MAX_ITEMS = 200;

/**
 * Stores the outcomes of proposals from new facts, in their order: the last outcome of a proposal stays. Ignores invalid
 * outcomes, and those of proposals that were not made to the restaurant.
 */
export async function writeOutcomes({ query }: Queries, facts: Collected["facts"], now: Date): Promise<void> {
  const outcomes = new Map<string, object>();
  for (const { restaurant_id, kind, at, body } of facts) {
    const outcome = kind === KIND ? ProposalOutcome.safeParse(body) : null;
    if (outcome?.success !== true || (outcome.data.items?.length ?? 0) > MAX_ITEMS) continue;
    const { id, version } = outcome.data;
    outcomes.set(`${restaurant_id} ${id} ${version}`, { restaurant_id, id, version, at, outcome: outcome.data });
  }
  if (outcomes.size === 0) return;
  await query(
    `UPDATE proposal_states s SET outcome = new.outcome, at = new.at, written_at = $2
     FROM jsonb_to_recordset($1::text::jsonb)
         AS new (restaurant_id TEXT, id TEXT, version BIGINT, at TIMESTAMPTZ, outcome JSONB)
       JOIN proposals p ON p.id = new.id AND p.version = new.version
     WHERE s.proposal_id = new.id AND s.restaurant_id = new.restaurant_id`,
    [JSON.stringify([...outcomes.values()]), now],
  );
}
