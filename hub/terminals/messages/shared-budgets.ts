import { createRecent } from "../../platform/recent.ts";
import { createMessageBudget, type MessageBudget } from "./message-budget.ts";

/** The budgets of a user and of an address, as multiples of a session's. */
const USER_TIMES = 4;
const ADDRESS_TIMES = 16;
/** A budget is kept this long after its last message, so that reconnecting gains nothing. */
const REMEMBERED_MS = 60_000;

export type SharedBudgets = ReturnType<typeof createSharedBudgets>;

/** Limits what all sessions of one user, and of one address, may send together. */
export function createSharedBudgets(monotonic: () => number, mutationsPerSecond: number) {
  const budgets = (times: number) =>
    createRecent(REMEMBERED_MS, monotonic, () => createMessageBudget(monotonic, mutationsPerSecond, times));
  const userBudgets = budgets(USER_TIMES);
  const addressBudgets = budgets(ADDRESS_TIMES);

  function admits(budget: MessageBudget, type: string | null, size: number): boolean {
    // The hub requires heartbeats of each session: a user with many terminals must not lose the connection to a limit.
    return type === "HEARTBEAT" ? budget.admitsBytes(size) : budget.admits(type, size);
  }

  return {
    /** Counts a message of a session. Returns false if its user or its address sends too much. */
    admits: ({ userId, address }: { userId: number; address: string }, type: string | null, size: number): boolean =>
      admits(userBudgets(String(userId)), type, size) && admits(addressBudgets(address), type, size),
  };
}
