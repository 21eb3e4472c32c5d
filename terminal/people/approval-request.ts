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
