import type { Conflict, Mutation, Terminal } from "@comanda/terminal";
import { translator } from "@comanda/ui/translation.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { refusalText, showRefusal } from "../../lib/page/show-refusal.ts";

/** Says that something was done at the till once the hub has it, where it is away that it was written down, or why it was not done. */
export async function followAct(terminal: Terminal, { outcome }: Mutation, done: string): Promise<void> {
  const isAway = terminal.connection().name !== "online";
  if (isAway) showNotice({ text: translator("till")("unsent", { what: done }) });
  const settled = await outcome;
  if (settled.state === "refused") sayRefused(terminal, settled.conflict);
  else if (settled.state === "acknowledged" && !isAway) showNotice({ text: done });
}

/** Says why the hub did not take something, and gives up what it never will. Money that was moved stays to be decided. */
export function sayRefused(terminal: Terminal, { id, refusal, intent }: Conflict): void {
  const isFinal = ["SHIFT_OPEN", "SHIFT_CLOSED", "NO_TILL"].includes(refusal.errorCode);
  showNotice({ text: isFinal ? refusalText(refusal.errorCode) : translator("till")("refused") });
  if (isFinal && intent.type !== "TILL_MOVE") giveUp(terminal, id);
}

export function giveUp(terminal: Terminal, id: string): void {
  terminal.discard(id).catch(showRefusal);
}
