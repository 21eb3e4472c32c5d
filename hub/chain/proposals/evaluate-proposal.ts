import type { Proposal, ProposalOutcome } from "@comanda/protocol/proposals.ts";
import { HubError } from "../../platform/errors.ts";
import { isAsked, isOpen, type StoredProposal } from "./proposal-store.ts";
import type { ProposalTarget, ProposalTargets } from "./proposal-targets.ts";

/** Longest error text of a refusal, in characters. */
const MAX_ERROR = 500;

/** The new state of a proposal. */
export type Step = Omit<ProposalOutcome, "id" | "version">;
export type Items = NonNullable<ProposalOutcome["items"]>;

/** Returns the state that a proposal takes at `now` (ms since 1970), or null if it keeps waiting or is over. */
export function evaluateProposal(
  { proposal, outcome, decidedBy }: StoredProposal,
  targets: ProposalTargets,
  now: number,
): Step | null {
  if (!isOpen(outcome)) return null;
  if (now > Date.parse(proposal.until)) return { state: "expired" };
  const target: ProposalTarget = targets[proposal.kind];
  if (target.nameOf === null) return null;
  try {
    target.require(proposal.items);
  } catch (error) {
    return refusalOf(error);
  }
  if (isAsked({ proposal, outcome, decidedBy }) || now < Date.parse(proposal.at)) return null;
  const items = itemsNow(proposal, target);
  if (decidedBy === null && items.some((item) => isConflict(item, target))) {
    return { state: "conflict", items };
  }
  return { state: "applied", items, ...(decidedBy !== null && { by: decidedBy }) };
}

/** Returns the proposal's items with their current values. */
export function itemsNow({ items }: Proposal, target: ProposalTarget): Items {
  return items.map(({ key, was, want }) => ({ key, was, want, now: target.read(key) }));
}

/** Whether the current value is neither what headquarters believe it is nor what they want. */
export function isConflict({ was, want, now }: Items[number], target: ProposalTarget): boolean {
  return was !== undefined && !target.isSame(now, was) && !target.isSame(now, want);
}

/** Turns a HubError into a refusal. Rethrows other errors. */
export function refusalOf(error: unknown): Step {
  if (!(error instanceof HubError)) throw error;
  const { reason, values } = error.explanation;
  const explanation = reason !== undefined && { said: { reason, ...(values !== undefined && { values }) } };
  return { ...refusedStep(error.code, error.message), ...explanation };
}

export function refusedStep(code: string, error: string): Step {
  return { state: "refused", code, error: error.slice(0, MAX_ERROR) };
}
