import { createRecent } from "../../platform/recent.ts";
import { createMessageBudget, type MessageBudget } from "./message-budget.ts";

/** The budget of a user and of an address, as multiples of a session's. */
const USER_TIMES = 4;
const ADDRESS_TIMES = 16;
/** A budget is kept for this long after its last message, so that reconnecting gains nothing. */
const REMEMBERED_MS = 60_000;

export type SharedBudgets = ReturnType<typeof createSharedBudgets>;

/** What all sessions of a user, and all of an address, may send together. */
export function createSharedBudgets(monotonic: () => number, mutationsPerSecond: number) {
  const budgets = (times: number) =>
    createRecent(REMEMBERED_MS, monotonic, () => createMessageBudget(monotonic, mutationsPerSecond, times));
  const ofUser = budgets(USER_TIMES);
  const ofAddress = budgets(ADDRESS_TIMES);

  function admits(budget: MessageBudget, type: string | null, size: number): boolean {
    // The hub asks each session for them: a user's many terminals are not to be refused what keeps them connected.
    return type === "HEARTBEAT" ? budget.admitsBytes(size) : budget.admits(type, size);
  }

  return {
    /** Counts a message of a session; false when its user or its address sends too much. */
    admits: ({ userId, address }: { userId: number; address: string }, type: string | null, size: number): boolean =>
      admits(ofUser(String(userId)), type, size) && admits(ofAddress(address), type, size),
  };
}
