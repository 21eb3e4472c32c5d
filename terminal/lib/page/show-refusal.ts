import { HubUnreachableError, TerminalRefusal } from "@comanda/terminal";
import { refusalWords } from "@comanda/ui/refusal-words.ts";
import { translator } from "@comanda/ui/translation.ts";
import { showNotice } from "./notices.ts";

/** Why something was not done, in the reader's words; never a code or the hub's own English. */
export function failureText(error: unknown): string {
  if (error instanceof TerminalRefusal) return refusalText(error.code);
  return refusalText(error instanceof HubUnreachableError ? "NO_CONNECTION" : "UNEXPECTED_ANSWER");
}

/** The same by its code; a word in the first moment of a page, whose sentences are still on their way. */
export function refusalText(code: string): string {
  const { what, todo } = refusalWords(code);
  return what === "UNEXPECTED_ANSWER.what" ? translator("common")("retry") : `${what} ${todo}`;
}

/** Says why an act was not done. */
export function showRefusal(error: unknown): void {
  showNotice({ text: failureText(error) });
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
