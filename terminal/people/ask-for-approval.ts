import type { ApprovedCommands } from "@comanda/terminal";
import { type ApprovalRequest, approvalRequest } from "./approval-request.ts";

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
