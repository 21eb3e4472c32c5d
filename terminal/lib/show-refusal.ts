import { HubUnreachableError, TerminalRefusal } from "@comanda/terminal";
import { failureSentence, refusalKey } from "./failures.ts";
import { showNotice } from "./notices.ts";

/** Why something was not done, in the reader's words; never a code or the hub's own English. */
export function failureText(error: unknown): string {
  if (error instanceof TerminalRefusal) return failureSentence(refusalKey(error.code));
  return failureSentence(error instanceof HubUnreachableError ? "unreachable" : "unknown");
}

/** Says why an act was not done. */
export function showRefusal(refusal: TerminalRefusal): void {
  showNotice({ text: failureText(refusal) });
}

/** Runs an act of the terminal; a refusal is said, and answers null. */
export function attempt<T>(act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof TerminalRefusal)) throw error;
    showRefusal(error);
    return null;
  }
}
