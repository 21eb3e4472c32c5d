import type { ProposalsHere } from "@comanda/protocol";
import type { DesiredState, ProposalOutcome } from "@comanda/protocol/proposals.ts";
import type { ChangeLog } from "../../changes/change-log.ts";
import type { Tx } from "../../changes/change.ts";
import { HubError, requireFound } from "../../platform/errors.ts";
import { createLoop } from "../../platform/loop.ts";
import type { World } from "../../platform/world.ts";
import type { TrustedTime } from "../../time/trusted-time.ts";
import type { FactStore } from "../source/fact-store.ts";
import type { LinkStore } from "../connection/link-store.ts";
import { isAsked, isOpen, type StoredProposal, type ProposalStore } from "./proposal-store.ts";
import { presentProposals } from "./present-proposals.ts";
import { evaluateProposal, refusalOf, type Step } from "./evaluate-proposal.ts";
import { createProposalIntake, type ProposalName } from "./proposal-intake.ts";
import type { ProposalTarget, ProposalTargets } from "./proposal-targets.ts";

/** Polling interval for a hub that missed headquarters' notification. */
const READ_EVERY_MS = 5 * 60_000;

/**
 * Takes proposals from headquarters' document and applies each when it is due, after a manager accepted it if headquarters ask
 * for that. A proposal is applied once, completely or not at all. Each outcome is a fact recorded in the same transaction.
 */
export function createProposals(deps: {
  world: World;
  changes: Pick<ChangeLog, "write">;
  store: ProposalStore;
  links: Pick<LinkStore, "desiredRev" | "saveDesiredRev">;
  facts: Pick<FactStore, "record">;
  time: Pick<TrustedTime, "now">;
  /** The current targets. */
  targets(): ProposalTargets;
  /** Returns the name in the audit log for a person at headquarters. */
  nameOf(by: string): string;
  /** Writes to the audit log. */
  note(tx: Tx, userName: string, action: "chain.accept" | "chain.decline", title: string): void;
  /** Resolves to null if headquarters cannot be reached. */
  read(): Promise<DesiredState | null>;
}) {
  const { world, changes, store, facts, time } = deps;
  const take = createProposalIntake({ ...deps, settle, record });
  const loop = createLoop(world, "proposals of headquarters", READ_EVERY_MS, work, untilDue);

  async function work(): Promise<void> {
    const document = await deps.read();
    if (document !== null) await take(document);
    for (const { proposal } of dueNow()) await settleDue(proposal);
  }

  function dueNow(): StoredProposal[] {
    const open = store.listOpen();
    if (open.length === 0) return [];
    const targets = deps.targets();
    return open.filter((stored) => evaluateProposal(stored, targets, time.now()) !== null);
  }

  async function settleDue(name: ProposalName): Promise<void> {
    try {
      await changes.write((tx) => proceed(tx, name));
    } catch (error) {
      // Applying it showed that the values are not possible here.
      const refusal = refusalOf(error);
      await changes.write((tx) => {
        const stored = store.get(name);
        if (stored !== null && isOpen(stored.outcome)) settle(tx, stored, refusal);
      });
    }
  }

  function proceed(tx: Tx, name: ProposalName): void {
    const stored = store.get(name);
    if (stored === null) return;
    const targets = deps.targets();
    const step = evaluateProposal(stored, targets, time.now());
    if (step === null) return;
    const { proposal } = stored;
    if (step.state === "applied") {
      const target: ProposalTarget = targets[proposal.kind];
      const changed = (step.items ?? []).filter(({ now, want }) => !target.isSame(now, want));
      if (changed.length > 0) target.apply(tx, changed, deps.nameOf(proposal.by));
    }
    settle(tx, stored, step);
  }

  function settle(tx: Tx, { proposal, decidedBy }: Pick<StoredProposal, "proposal" | "decidedBy">, step: Step): void {
    const { id, version, title } = proposal;
    const outcome: ProposalOutcome = { id, version, ...step };
    store.save({ proposal, outcome, since: tx.now, decidedBy });
    record(tx, outcome);
    const detail = { text: title, userName: deps.nameOf(proposal.by) };
    if (isAsked({ proposal, outcome, decidedBy })) {
      tx.notify(["chain"], { kind: "proposal_received", level: "warn", detail });
    } else if (step.state === "applied") {
      tx.notify(["chain"], { kind: "proposal_applied", level: "info", detail });
    } else tx.notify(["chain"]);
  }

  function record(tx: Tx, outcome: ProposalOutcome): void {
    facts.record(tx.now, { kind: "proposal", body: outcome });
  }

  function untilDue(): number {
    const now = time.now();
    const instants = store.listOpen().flatMap(({ proposal: { at, until } }) => [Date.parse(at), Date.parse(until) + 1]);
    return Math.min(...instants.filter((instant) => instant > now)) - now;
  }

  const list = (): ProposalsHere => presentProposals(store, deps.targets());

  return {
    list,

    /** Applies a manager's decision. Throws NOT_FOUND, CONFLICT if it was already decided, or the error of a refused value. */
    async answer({ accept, ...name }: ProposalName & { accept: boolean }, userName: string): Promise<ProposalsHere> {
      await changes.write((tx) => {
        const stored = requireFound(store.get(name), "there is no such proposal");
        if (!isAsked(stored))
          throw new HubError("CONFLICT", "this proposal was already decided", { version: name.version });
        const { proposal } = stored;
        deps.note(tx, userName, accept ? "chain.accept" : "chain.decline", proposal.title);
        if (!accept) {
          settle(tx, { proposal, decidedBy: userName }, { state: "declined", by: userName });
          return;
        }
        store.save({ ...stored, decidedBy: userName });
        tx.notify(["chain"]);
        proceed(tx, name);
      });
      loop.reschedule();
      return list();
    },

    /** Called when proposals may have changed, or when headquarters can be reached again. */
    wake: loop.wake,
    start: loop.start,
    stop: loop.stop,
  };
}
