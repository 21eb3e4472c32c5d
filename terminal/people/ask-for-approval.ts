import type { ApprovedCommands } from "@comanda/terminal";
import { type ApprovalRequest, approvalRequest } from "./approval-request.ts";

/**
 * Asks a second person for their PIN, in place. Resolves with the terminal's commands under their approval, or null if they
 * declined. `what` describes the act: "Anular 2 Mofongo".
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
