import type { ErrorCode } from "@comanda/protocol";
import type { Text } from "@comanda/ui/texts.ts";
import { translator } from "@comanda/ui/translation.ts";
import type texts from "./failure-texts.json";

/** Those of the till have words where it is worked at, so that no kitchen waits for them. */
export type TillErrorCode = Extract<ErrorCode, "SHIFT_OPEN" | "SHIFT_CLOSED" | "NO_TILL" | "APPROVAL_NEEDED">;
/** Only the hub's own screens ask for a password again. */
type TerminalErrorCode = Exclude<ErrorCode, "CONFIRMATION_NEEDED" | TillErrorCode>;

// A refusal without its own sentence does not compile. The type alone: the sentences come with the language.
type Sentences<Table extends Record<TerminalErrorCode, Text>> = Table;

export type RefusalKey = Extract<keyof Sentences<typeof texts>, TerminalErrorCode | "unknown">;

/** Under which name `failures` has the sentence for a refusal. The back-office's own codes reach a terminal, too. */
export function refusalKey(code: string): RefusalKey {
  const key = code as TerminalErrorCode;
  // What has no sentence reads as its own name. A list of all codes would only be for this.
  return translator("failures")(key) === code ? "unknown" : key;
}

/** The sentence for a refusal; a word in the first moment of a page, whose sentences are still on their way. */
export function failureSentence(key: RefusalKey | "unreachable"): string {
  const sentence = translator("failures")(key);
  return sentence === key ? translator("common")("retry") : sentence;
}
