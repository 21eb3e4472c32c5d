import { type DesiredState, Proposal, type ProposalOutcome } from "@comanda/protocol/proposals.ts";
import { z } from "zod";
import type { ChangeLog } from "../../changes/change-log.ts";
import type { Tx } from "../../changes/change.ts";
import type { World } from "../../platform/world.ts";
import { refusedStep, type Step } from "./evaluate-proposal.ts";
import type { LinkStore } from "../connection/link-store.ts";
import type { StoredProposal, ProposalStore } from "./proposal-store.ts";

const ProposalName = Proposal.options[0].pick({ id: true, version: true });
export type ProposalName = z.infer<typeof ProposalName>;

/** Stores new proposals of headquarters' document and withdraws those that it no longer lists. */
export function createProposalIntake(deps: {
  world: World;
  changes: Pick<ChangeLog, "write">;
  store: ProposalStore;
  links: Pick<LinkStore, "desiredRev" | "saveDesiredRev">;
  settle(tx: Tx, stored: Pick<StoredProposal, "proposal" | "decidedBy">, step: Step): void;
  /** Reports a proposal that this hub cannot read to headquarters. */
  record(tx: Tx, outcome: ProposalOutcome): void;
}): (document: DesiredState) => Promise<void> {
  const { world, changes, store, links, settle, record } = deps;
  /** Keys of unreadable proposals already reported. */
  const unreadable = new Set<string>();

  async function take({ rev, proposals }: DesiredState): Promise<void> {
    const lastRev = links.desiredRev();
    if (rev < lastRev) {
      world.log.warn(
        { rev, seen: lastRev },
        "headquarters' proposals are older than those that were seen: they are not read",
      );
      return;
    }
    await changes.write((tx) => {
      if (rev > lastRev) links.saveDesiredRev(rev);
      const listed = new Set<string>();
      for (const item of proposals) {
        const name = ProposalName.safeParse(item);
        if (!name.success) continue;
        listed.add(keyOf(name.data));
        if (store.get(name.data) === null) receive(tx, name.data, item);
      }
      for (const stored of store.listOpen()) {
        if (!listed.has(keyOf(stored.proposal))) settle(tx, stored, { state: "withdrawn" });
      }
    });
  }

  function receive(tx: Tx, { id, version }: ProposalName, input: unknown): void {
    const read = Proposal.safeParse(input);
    if (read.success) {
      settle(tx, { proposal: read.data, decidedBy: null }, { state: "waiting" });
      return;
    }
    const key = keyOf({ id, version });
    if (unreadable.has(key)) return;
    unreadable.add(key);
    tx.onUndo(() => unreadable.delete(key));
    record(tx, { id, version, ...refusedStep("VALIDATION_ERROR", z.prettifyError(read.error)) });
  }

  return take;
}

function keyOf({ id, version }: ProposalName): string {
  return `${version} ${id}`;
}
