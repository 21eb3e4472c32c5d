import type { Mutation } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { useTerminal } from "../../lib/connection/pos.ts";
import { refusalText } from "../../lib/page/show-refusal.ts";
import { askForApproval } from "../../people/ask-for-approval.ts";

/** Says what became of a count, and asks a manager in place where it takes one. */
export function useFollowCount(): (mutation: Mutation) => void {
  const { t } = useTranslation("till");
  const terminal = useTerminal();

  async function follow(mutation: Mutation): Promise<void> {
    const outcome = await mutation.outcome;
    if (outcome.state === "acknowledged") return showNotice({ text: t("closed") });
    if (outcome.state === "discarded") return;
    const { id, refusal } = outcome.conflict;
    if (refusal.errorCode === "APPROVAL_NEEDED") return approve(id);
    const known = ["SHIFT_OPEN", "SHIFT_CLOSED", "NO_TILL"].includes(refusal.errorCode);
    showNotice({ text: known ? refusalText(refusal.errorCode) : t("refused") });
    if (known) void terminal.discard(id);
  }

  /** The same count, with a manager's approval; without it the count stays kept, and can be approved later. */
  async function approve(id: string): Promise<void> {
    const approved = await askForApproval(t("approveWhat"), "managers");
    if (approved !== null) await follow(approved.retry(id));
  }

  return (mutation) => void follow(mutation);
}
