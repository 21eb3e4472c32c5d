import { sessionBudgets, type TokenBucket } from "@comanda/protocol";
import { createPacedBucket } from "../../pace/paced-bucket.ts";
import type { TerminalWorld } from "../../world.ts";
import { sizeOf } from "../entries/check-intent.ts";
import type { MutationMessage } from "../entries/outbox-entry.ts";

/** How fast the hub of this session takes mutations. One that has to wait is not counted, and none goes before it. */
export function createSendPace(clock: TerminalWorld["clock"]) {
  let left: { mutations: TokenBucket; bytes: TokenBucket } | null = null;
  /** How long until what was held back may go; Infinity where nothing was. */
  let waitMs = Infinity;

  return {
    /** So many mutations a second, ten times that at once, and bytes to match; undefined is any number. */
    limit(perSecond: number | undefined): void {
      const budgets = perSecond === undefined ? null : sessionBudgets(perSecond);
      left = budgets && {
        mutations: createPacedBucket(budgets.mutations, clock),
        bytes: createPacedBucket(budgets.bytes, clock),
      };
    },
    /** The hub refused one as too many: its budget is used up. */
    slowDown(): void {
      left?.mutations.empty();
      left?.bytes.empty();
    },
    /** What waits is looked at again. */
    startOver(): void {
      waitMs = Infinity;
    },
    /** Counts a message that may go now. */
    admits(message: MutationMessage): boolean {
      if (left === null) return true;
      if (waitMs < Infinity) return false;
      const size = sizeOf(message);
      const ms = Math.max(left.mutations.waitMs(), left.bytes.waitMs(size));
      if (ms === 0) return left.mutations.take() && left.bytes.take(size);
      waitMs = ms;
      return false;
    },
    waitMs: () => waitMs,
  };
}
