import { HubUnreachableError, TerminalRefusal } from "@comanda/terminal";
import { refusalTexts } from "@comanda/ui/refusal-texts.ts";
import { translator } from "@comanda/ui/translation.ts";
import { showNotice } from "./notices.ts";

/** Returns why an act failed, in the user's language; never a code or the hub's English message. */
export function failureText(error: unknown): string {
  if (error instanceof TerminalRefusal) return refusalText(error.code);
  return refusalText(error instanceof HubUnreachableError ? "NO_CONNECTION" : "UNEXPECTED_ANSWER");
}

/** Returns the text for an error code; only "retry" until the page's texts have loaded. */
export function refusalText(code: string): string {
  const { what, todo } = refusalTexts(code);
  return what === "UNEXPECTED_ANSWER.what" ? translator("common")("retry") : `${what} ${todo}`;
}

/** Shows a notice why an act failed. */
export function showRefusal(error: unknown): void {
  showNotice({ text: failureText(error) });
}

/** Runs an act of the terminal. A refusal is shown, and null returned. */
export function attempt<T>(act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof TerminalRefusal)) throw error;
    showRefusal(error);
    return null;
  }
}
