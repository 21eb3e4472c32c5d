import type { TillState } from "@comanda/protocol";
import type { Conflict, Mutation, Terminal } from "@comanda/terminal";
import { translator } from "@comanda/ui/translation.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { attempt } from "../../lib/page/show-refusal.ts";
import { giveUp, sayRefused } from "./follow-act.ts";
import { askFor, underCashOfShift, type SentCount } from "./use-count.ts";
import { askForApproval } from "../../people/ask-for-approval.ts";

/** By shift the count that was sent last from here: one before it, which may be answered later, is no longer meant. */
const lastCounts = new Map<string, Mutation>();

/** Whoever counted a shift here hears what becomes of that. */
export function isCountedHere(shiftId: string): boolean {
  return lastCounts.has(shiftId);
}

/** The counts of a shift that wait for a decision on this device, in their order. */
export function countsOf(conflicts: readonly Conflict[], shiftId: string): Conflict[] {
  return conflicts.filter(({ intent }) => intent.type === "TILL_COUNT" && intent.shiftId === shiftId);
}

/**
 * Says what became of a count, and asks a manager in place where it takes one; of several of a shift about the last. One
 * that lacks something is there to be completed as it was `sent`.
 */
export async function followCount(
  terminal: Terminal,
  shiftId: string,
  mutation: Mutation,
  sent?: SentCount,
): Promise<void> {
  const t = translator("till");
  lastCounts.set(shiftId, mutation);
  // The hub has kept what was counted before.
  const before = countsOf(terminal.conflicts(), shiftId).filter(({ id }) => id !== mutation.id);
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
  sayRefused(terminal, outcome.conflict);
}

/** Gives up what waits for approval of shifts that were closed elsewhere. */
export function giveUpClosed(terminal: Terminal, tills: readonly TillState[]): void {
  if (tills.length === 0) return;
  for (const { id, intent, refusal } of terminal.conflicts()) {
    if (intent.type !== "TILL_COUNT" || refusal.errorCode !== "APPROVAL_NEEDED") continue;
    if (!tills.some(({ shift }) => shift?.id === intent.shiftId)) giveUp(terminal, id);
  }
}

/** The same count, with a manager's approval; without it the count stays kept, and can be approved later. */
export async function approveCount(terminal: Terminal, shiftId: string, id: string): Promise<void> {
  const approved = await askForApproval(translator("till")("approveWhat"), "managers");
  if (approved === null) return;
  // It may be gone by now, for a later one.
  const again = attempt(() => approved.retry(id));
  if (again !== null) await followCount(terminal, shiftId, again);
}
