import type { ProposalHere, ProposalsHere } from "@comanda/protocol";
import { isoTime } from "../../platform/world.ts";
import { isConflict, itemsNow } from "./evaluate-proposal.ts";
import { isAsked, isOpen, type StoredProposal, type ProposalStore } from "./proposal-store.ts";
import type { ProposalTarget, ProposalTargets } from "./proposal-targets.ts";

/** Presents headquarters' proposals for the screens. */
export function presentProposals(
  store: Pick<ProposalStore, "listOpen" | "listFinished">,
  targets: ProposalTargets,
): ProposalsHere {
  const open = store.listOpen().map((stored) => present(stored, targets));
  const [pending, waiting] = [open.filter((each) => each.isAsked), open.filter((each) => !each.isAsked)];
  return { proposals: [...pending, ...waiting, ...store.listFinished().map((stored) => present(stored, targets))] };
}

function present({ proposal, outcome, since, decidedBy }: StoredProposal, targets: ProposalTargets): ProposalHere {
  const target: ProposalTarget = targets[proposal.kind];
  const items = isOpen(outcome) ? null : outcome.items;
  return {
    proposal,
    state: outcome.state,
    isAsked: isAsked({ proposal, outcome, decidedBy }),
    since: isoTime(since),
    decidedBy,
    error: outcome.error ?? null,
    items: (items ?? itemsNow(proposal, target)).map((item) => ({
      key: item.key,
      name: target.nameOf?.(item.key) ?? null,
      want: item.want,
      now: item.now,
      differs: isConflict(item, target),
    })),
  };
}
