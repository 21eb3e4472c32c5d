import type { TillState } from "@comanda/protocol";
import type { Conflict, Mutation, Terminal } from "@comanda/terminal";
import { translator } from "@comanda/ui/translation.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { attempt } from "../../lib/page/show-refusal.ts";
import { giveUp, showRefusedAct } from "./follow-act.ts";
import { askFor, underCashOfShift, type SentCount } from "./use-count.ts";
import { askForApproval } from "../../people/ask-for-approval.ts";

/** The last count sent from here, by shift; the answer to an earlier one no longer matters. */
const lastCounts = new Map<string, Mutation>();

/** Whether a shift was counted here: the user then gets its result from `followCount`. */
export function isCountedHere(shiftId: string): boolean {
  return lastCounts.has(shiftId);
}

/** Returns the counts of a shift that await a decision on this device, oldest first. */
export function pendingCounts(conflicts: readonly Conflict[], shiftId: string): Conflict[] {
  return conflicts.filter(({ intent }) => intent.type === "TILL_COUNT" && intent.shiftId === shiftId);
}

/**
 * Shows the result of a count, and asks a manager for approval in place if needed. Of several counts of a shift, only the last
 * matters. An incomplete count opens again as it was `sent`.
 */
export async function followCount(
  terminal: Terminal,
  shiftId: string,
  mutation: Mutation,
  sent?: SentCount,
): Promise<void> {
  const t = translator("till");
  lastCounts.set(shiftId, mutation);
  // The hub has stored the earlier counts, so their conflicts can be discarded.
  const before = pendingCounts(terminal.conflicts(), shiftId).filter(({ id }) => id !== mutation.id);
  for (const { id } of before) giveUp(terminal, id);
  const outcome = await mutation.outcome;
  if (outcome.state === "acknowledged") return showNotice({ text: t("closed") });
  if (outcome.state === "discarded") return;
  const { id, refusal, intent } = outcome.conflict;
  if (lastCounts.get(shiftId) !== mutation) return giveUp(terminal, id);
  if (refusal.errorCode === "APPROVAL_NEEDED") return approveCount(terminal, shiftId, id);
  const { uncounted } = refusal;
  if (uncounted !== undefined && sent !== undefined) {
    const counted = intent.type === "TILL_COUNT" ? underCashOfShift(intent.counted, uncounted) : null;
    const again = counted === null ? null : attempt(() => terminal.countShift({ ...intent, shiftId, counted }));
    if (again !== null) return followCount(terminal, shiftId, again, sent);
    askFor(shiftId, { draft: sent.draft, uncounted });
    showNotice({ text: t("uncounted", { what: uncounted.map(sent.nameOf).join(", ") }) });
    return giveUp(terminal, id);
  }
  showRefusedAct(terminal, outcome.conflict);
}

/** Discards counts awaiting approval whose shifts were closed elsewhere. */
export function giveUpClosed(terminal: Terminal, tills: readonly TillState[]): void {
  if (tills.length === 0) return;
  for (const { id, intent, refusal } of terminal.conflicts()) {
    if (intent.type !== "TILL_COUNT" || refusal.errorCode !== "APPROVAL_NEEDED") continue;
    if (!tills.some(({ shift }) => shift?.id === intent.shiftId)) giveUp(terminal, id);
  }
}

/** Sends the count again with a manager's approval. Without it, the count stays and can be approved later. */
export async function approveCount(terminal: Terminal, shiftId: string, id: string): Promise<void> {
  const approved = await askForApproval(translator("till")("approveWhat"), "managers");
  if (approved === null) return;
  // A later count may have replaced it.
  const again = attempt(() => approved.retry(id));
  if (again !== null) await followCount(terminal, shiftId, again);
}
