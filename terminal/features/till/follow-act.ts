import type { Conflict, Mutation, Terminal } from "@comanda/terminal";
import { translator } from "@comanda/ui/translation.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { refusalText, showRefusal } from "../../lib/page/show-refusal.ts";

/** Shows that an act at the till is done once the hub has it. Offline, shows that it was saved; if refused, why. */
export async function followAct(terminal: Terminal, { outcome }: Mutation, done: string): Promise<void> {
  const isAway = terminal.connection().name !== "online";
  if (isAway) showNotice({ text: translator("till")("unsent", { what: done }) });
  const settled = await outcome;
  if (settled.state === "refused") showRefusedAct(terminal, settled.conflict);
  else if (settled.state === "acknowledged" && !isAway) showNotice({ text: done });
}

/** Shows why the hub refused an act, and discards what it will never take. A cash move stays for a decision. */
export function showRefusedAct(terminal: Terminal, { id, refusal, intent }: Conflict): void {
  const isFinal = ["SHIFT_OPEN", "SHIFT_CLOSED", "NO_TILL"].includes(refusal.errorCode);
  showNotice({ text: isFinal ? refusalText(refusal.errorCode) : translator("till")("refused") });
  if (isFinal && intent.type !== "TILL_MOVE") giveUp(terminal, id);
}

export function giveUp(terminal: Terminal, id: string): void {
  terminal.discard(id).catch(showRefusal);
}
