import { Proposal, ProposalOutcome } from "@comanda/protocol/proposals.ts";
import { soundRow } from "../../db/integrity/sealed-tables.ts";
import type { Db } from "../../db/open.ts";
import { parseColumn } from "../../db/rows/parse-column.ts";

/** A proposal of headquarters and its state. */
export interface StoredProposal {
  proposal: Proposal;
  outcome: ProposalOutcome;
  /** When that state began, ms since 1970. */
  since: number;
  /** The manager who accepted or declined it, or null. */
  decidedBy: string | null;
}

type ProposalName = Pick<Proposal, "id" | "version">;
type Row = Record<"body" | "outcome", string> & { since: number; decidedBy: string | null };

/** How many finished proposals are shown. */
const SHOWN = 50;

export type ProposalStore = ReturnType<typeof createProposalStore>;

/** Stores headquarters' proposals to this restaurant, by id and version. */
export function createProposalStore(db: Db) {
  const select = `SELECT body, outcome, since, decided_by AS decidedBy FROM chain_proposals`;
  const isSound = soundRow(db, "chain_proposals");
  const get = db.prepare<[string, number], Row>(`${select} WHERE id = ? AND version = ? AND ${isSound}`);
  const listOpen = db.prepare<[], Row>(`${select} WHERE is_open = 1 AND ${isSound} ORDER BY rank`);
  const listFinished = db.prepare<[number], Row>(
    `${select} WHERE is_open = 0 AND ${isSound} ORDER BY since DESC, rank DESC LIMIT ?`,
  );
  const countAsked = db
    .prepare<[], number>("SELECT count(*) FROM chain_proposals WHERE is_open = 1 AND is_asked = 1")
    .pluck();
  const save = db.prepare<ProposalName & Row & Record<"isOpen" | "isAsked", 0 | 1>>(`
    INSERT INTO chain_proposals (id, version, body, outcome, is_open, is_asked, since, decided_by)
    VALUES (@id, @version, @body, @outcome, @isOpen, @isAsked, @since, @decidedBy)
    ON CONFLICT (id, version) DO UPDATE SET
      outcome = excluded.outcome, is_open = excluded.is_open, is_asked = excluded.is_asked, since = excluded.since,
      decided_by = excluded.decided_by`);
  const forget = db.prepare("DELETE FROM chain_proposals WHERE is_open = 1");

  const readAll = (rows: readonly Row[]): StoredProposal[] => rows.flatMap((row) => readRow(row) ?? []);

  return {
    get({ id, version }: ProposalName): StoredProposal | null {
      const row = get.get(id, version);
      return row === undefined ? null : readRow(row);
    },
    /** Proposals waiting for a manager or their time, oldest first. */
    listOpen: (): StoredProposal[] => readAll(listOpen.all()),
    /** The newest finished proposals. */
    listFinished: (): StoredProposal[] => readAll(listFinished.all(SHOWN)),
    /** How many proposals wait for a manager. */
    countAsked: (): number => countAsked.get() ?? 0,
    save(stored: StoredProposal): void {
      const { proposal, outcome, since, decidedBy } = stored;
      save.run({
        id: proposal.id,
        version: proposal.version,
        body: JSON.stringify(proposal),
        outcome: JSON.stringify(outcome),
        isOpen: isOpen(outcome) ? 1 : 0,
        isAsked: isAsked(stored) ? 1 : 0,
        since,
        decidedBy,
      });
    },
    /** Deletes open proposals, for a chain that the hub has left. */
    forgetOpen: (): void => void forget.run(),
  };
}

function readRow({ body, outcome, ...row }: Row): StoredProposal | null {
  const proposal = Proposal.safeParse(parseColumn<unknown>(body, null));
  const read = ProposalOutcome.safeParse(parseColumn<unknown>(outcome, null));
  return proposal.success && read.success ? { proposal: proposal.data, outcome: read.data, ...row } : null;
}

export function isOpen({ state }: ProposalOutcome): boolean {
  return state === "waiting" || state === "conflict";
}

/** Whether a manager must decide: headquarters ask for it, or the current value is not what they believe. */
export function isAsked({ proposal, outcome, decidedBy }: Omit<StoredProposal, "since">): boolean {
  const needsDecision = proposal.policy === "ask" || outcome.state === "conflict";
  return isOpen(outcome) && needsDecision && decidedBy === null;
}
