import type { ApprovedCommands } from "@comanda/terminal";
import { createStore } from "@comanda/ui/store.ts";

/** An act that waits for a second person. */
export interface ApprovalRequest {
  what: string;
  /** Only theirs helps; by default anybody's who has more rights. */
  of: "managers" | "refunders" | undefined;
  answer: (commands: ApprovedCommands | null) => void;
}

/** What the approval sheet asks for; null: nothing. */
export const approvalRequest = createStore<ApprovalRequest | null>(null);

/**
 * Asks a second person for their PIN, in place, and answers the terminal's commands with their approval; null when they
 * said no. `what` names the act in words: "Anular 2 Mofongo".
 */
export function askForApproval(what: string, of?: ApprovalRequest["of"]): Promise<ApprovedCommands | null> {
  approvalRequest.get()?.answer(null);
  const { promise, resolve } = Promise.withResolvers<ApprovedCommands | null>();
  const request: ApprovalRequest = {
    what,
    of,
    answer(commands) {
      if (approvalRequest.get() === request) approvalRequest.set(null);
      resolve(commands);
    },
  };
  approvalRequest.set(request);
  return promise;
}
