import type { ApprovedCommands } from "@comanda/terminal";
import { createStore } from "@comanda/ui/store.ts";

/** An act that waits for a second person's approval. */
export interface ApprovalRequest {
  what: string;
  /** Limits who may approve; by default anyone with more rights. */
  of: "managers" | "refunders" | undefined;
  answer: (commands: ApprovedCommands | null) => void;
}

/** The open request for approval, or null. */
export const approvalRequest = createStore<ApprovalRequest | null>(null);
