import { BackOfficeErrorCode, type ErrorCode, type Said, sentenceNames, type SentenceName } from "@comanda/protocol";
import { useCallback } from "react";
import { useFormat } from "@comanda/ui/format.ts";
import { refusalWords } from "@comanda/ui/refusal-words.ts";
import { useLanguage, useTranslation } from "@comanda/ui/translation.ts";
import texts from "./sentence-texts.json" with { type: "json" };

/** Values that are amounts of money. */
const AMOUNTS: ReadonlySet<string> = new Set(["there", "here", "amount", "due", "giveBack"]);

/**
 * One of the hub's sentences in the reader's language; null for a name that this page does not know.
 */
export function useHubSentence(): (name: string, values?: Readonly<Record<string, string>>) => string | null {
  const language = useLanguage();
  const format = useFormat();
  return useCallback(
    (name, values = {}) => {
      const known: SentenceName | undefined = sentenceNames.find((each) => each === name);
      if (known === undefined) return null;
      const shown = (key: string) => (AMOUNTS.has(key) ? format.money(Number(values[key])) : (values[key] ?? ""));
      return texts[known][language].replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => shown(key));
    },
    [language, format],
  );
}

/** What the hub has kept, such as a note in the audit log, in the reader's language. */
export function useSaid(): (said: Said) => string {
  const hubSentence = useHubSentence();
  return useCallback(
    ({ about, reason, values, words }) => {
      const sentence = reason === undefined ? null : hubSentence(reason, values);
      const text = [sentence, words].filter(Boolean).join(" · ");
      return about === undefined ? text : [about, text].filter(Boolean).join(": ");
    },
    [hubSentence],
  );
}

const knownCodes = [...BackOfficeErrorCode.options, "PERIOD_LOCKED", "PAID_BEFORE_RESTORE"] as const;

/** Refusals that are the same whether the hub or the back-office refuses; the others say that it was the back-office. */
const sharedCodes = [
  "NCF_EXHAUSTED",
  "TOTALS_MISMATCH",
  "ORDER_HAS_NO_NCF",
  "ALREADY_CREDITED",
  "NOTHING_VOIDED",
] as const satisfies ErrorCode[];
export type SharedCode = (typeof sharedCodes)[number];

const isShared = (code: string): code is SharedCode => sharedCodes.some((each) => each === code);

/** Why something did not reach the back-office or was refused there. */
export interface BackOfficeReason {
  /** In the reader's language; null where only the back-office's own words are known. */
  sentence: string | null;
  /** What the back-office itself said, introduced as its words; null where the hub wrote the text. */
  quote: string | null;
}

/** What a kept error of the back-office means, by the hub's sentence or the back-office's code. */
export function useBackOfficeReason(): (said: Said, errorCode?: string | null) => BackOfficeReason {
  const { t } = useTranslation("backOfficeReason");
  const hubSentence = useHubSentence();
  return useCallback(
    ({ about, reason, values, words = "" }, errorCode = null) => {
      const own = reason === undefined ? null : hubSentence(reason, values);
      const code = knownCodes.find((known) => known === errorCode);
      const meant = code === undefined ? null : isShared(code) ? refusalWords(code).what : t(`code.${code}`);
      const sentence = own ?? meant;
      return {
        sentence: about === undefined ? sentence : [about, sentence].filter(Boolean).join(": "),
        quote: own !== null || words === "" ? null : t("says", { words }),
      };
    },
    [t, hubSentence],
  );
}

/** The same in one line. */
export function useBackOfficeText(): (said: Said, errorCode?: string | null) => string {
  const reasonOf = useBackOfficeReason();
  return useCallback(
    (said, errorCode) => {
      const { sentence, quote } = reasonOf(said, errorCode);
      return [sentence, quote].filter(Boolean).join(" ");
    },
    [reasonOf],
  );
}
