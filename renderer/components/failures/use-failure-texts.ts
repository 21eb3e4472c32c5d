import type { InputIssue } from "@comanda/protocol";
import { refusalTexts } from "@comanda/ui/refusal-texts.ts";
import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { HubFailure } from "../../lib/hub-failure.ts";
import { useHubSentence } from "@comanda/ui/hub-sentences.ts";
import { useBackOfficeReason } from "./back-office-reason.ts";

/** A failed call, described in the reader's language. */
export interface FailureTexts {
  what: string;
  /** What to do about it, or null if `what` says it. */
  todo: string | null;
  /** What is wrong with the fields, each with its name. */
  issues: string[];
  /** The back-office's own text, marked as a quotation. */
  quote: string | null;
}

/** Returns a function that describes a failure by the hub's reason, or else by its code. */
export function useFailureTexts(): (failure: HubFailure) => FailureTexts {
  const hubSentence = useHubSentence();
  const reasonOf = useBackOfficeReason();
  const issueText = useIssueText();
  const { t } = useTranslation("common");
  return ({ code, explanation: { reason, values, issues = [], backOffice } }) => {
    const explained = backOffice === undefined ? null : reasonOf({ words: backOffice.words }, backOffice.errorCode);
    // A back-office code that the hub passes on has its own text, which also says what to do.
    const backOfficeText = code === "HUB-VALIDATION_ERROR" ? (explained?.sentence ?? null) : null;
    const pageText = code === "HUB-UNREAD_ANSWER" ? t("doneUnread") : null;
    const exact = (reason === undefined ? null : hubSentence(reason, values)) ?? backOfficeText ?? pageText;
    return {
      ...(exact === null ? refusalTexts(code.slice("HUB-".length)) : { what: exact, todo: null }),
      issues: issues.map((issue) => issueText(issue, true)),
      quote: explained?.quote ?? null,
    };
  };
}

/** Returns a function that says what is wrong with one field, with or without the field's name. */
export function useIssueText(): (issue: InputIssue, withName: boolean) => string {
  const { t, format } = useTranslation("issue");
  return (issue, withName) => {
    const last = issue.path.findLast((part) => typeof part === "string");
    const label = last === undefined ? undefined : knownText(t, `field.${last}`);
    const problem = describeProblem();
    if (!withName || label === undefined) return `${problem.charAt(0).toLocaleUpperCase()}${problem.slice(1)}`;
    return t("at", { label, problem });

    function describeProblem(): string {
      const { code, origin, minimum, maximum, format: kind, expected, missing } = issue;
      if (missing === true) return t("problem.missing");
      if (code === "too_small" && minimum !== undefined) {
        if (origin === "string") {
          return minimum === 1 ? t("problem.missing") : t("problem.text_too_short", { count: minimum });
        }
        if (origin === "array") return t("problem.list_too_short", { count: minimum });
        return t("problem.too_small", { bound: format.number(minimum) });
      }
      if (code === "too_big" && maximum !== undefined) {
        if (origin === "string") return t("problem.text_too_long", { count: maximum });
        if (origin === "array") return t("problem.list_too_long", { count: maximum });
        return t("problem.too_big", { bound: format.number(maximum) });
      }
      if (code === "invalid_type" && expected === "number") return t("problem.number");
      if (code === "invalid_type" && expected === "int") return t("problem.whole");
      if (code === "unrecognized_keys") return t("problem.unknown_keys");
      if (last === "url") return t("problem.url");
      if (kind === "url" || kind === "date" || kind === "datetime") return t(`problem.${kind}`);
      return t("problem.invalid");
    }
  };
}
