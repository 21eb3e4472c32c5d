import { sessionBudgets, type TokenBucket } from "@comanda/protocol";
import { createPacedBucket } from "../../pace/paced-bucket.ts";
import type { TerminalWorld } from "../../world.ts";
import { sizeOf } from "../entries/check-intent.ts";
import type { MutationMessage } from "../entries/outbox-entry.ts";

/** Paces mutations to the hub's limits. A delayed mutation is not counted, and no other overtakes it. */
export function createSendPace(clock: TerminalWorld["clock"]) {
  let budget: { mutations: TokenBucket; bytes: TokenBucket } | null = null;
  /** Time until the delayed mutation may be sent, in ms; Infinity if none is delayed. */
  let waitMs = Infinity;

  return {
    /** Limits mutations per second, with bursts of ten times that, and bytes in proportion. No limit if undefined. */
    limit(perSecond: number | undefined): void {
      const budgets = perSecond === undefined ? null : sessionBudgets(perSecond);
      budget = budgets && {
        mutations: createPacedBucket(budgets.mutations, clock),
        bytes: createPacedBucket(budgets.bytes, clock),
      };
    },
    /** Treats the budget as used up, because the hub refused a mutation as one too many. */
    slowDown(): void {
      budget?.mutations.empty();
      budget?.bytes.empty();
    },
    /** Begins a new pass over the queue. */
    startOver(): void {
      waitMs = Infinity;
    },
    /** Returns whether a message may be sent now, and counts it. */
    admits(message: MutationMessage): boolean {
      if (budget === null) return true;
      if (waitMs < Infinity) return false;
      const size = sizeOf(message);
      const ms = Math.max(budget.mutations.waitMs(), budget.bytes.waitMs(size));
      if (ms === 0) return budget.mutations.take() && budget.bytes.take(size);
      waitMs = ms;
      return false;
    },
    waitMs: () => waitMs,
  };
}
