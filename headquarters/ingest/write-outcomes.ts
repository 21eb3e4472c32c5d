import { ProposalOutcome } from "@comanda/protocol/proposals.ts";
import type { Queries } from "../db/database.ts";
import type { Collected } from "./collected.ts";

/** The kind of the facts that say what became of a proposal. */
const KIND = "proposal";
/** As many as a proposal may have. */
const MAX_ITEMS = 200;

/**
 * Keeps what became of proposals, by facts that are new here, in their order: the last one of a proposal stays. What is no
 * outcome, and what is of a proposal that was not made to that restaurant, changes nothing.
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
