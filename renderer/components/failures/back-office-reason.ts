import { BackOfficeErrorCode, type ErrorCode, type Said } from "@comanda/protocol";
import { useHubSentence } from "@comanda/ui/hub-sentences.ts";
import { refusalWords } from "@comanda/ui/refusal-words.ts";
import { useTranslation } from "@comanda/ui/translation.ts";

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
  return ({ about, reason, values, words = "" }, errorCode = null) => {
    const own = reason === undefined ? null : hubSentence(reason, values);
    const code = knownCodes.find((known) => known === errorCode);
    const meant = code === undefined ? null : isShared(code) ? refusalWords(code).what : t(`code.${code}`);
    const sentence = own ?? meant;
    return {
      sentence: about === undefined ? sentence : [about, sentence].filter(Boolean).join(": "),
      quote: own !== null || words === "" ? null : t("says", { words }),
    };
  };
}

/** The same in one line. */
export function useBackOfficeText(): (said: Said, errorCode?: string | null) => string {
  const reasonOf = useBackOfficeReason();
  return (said, errorCode) => {
    const { sentence, quote } = reasonOf(said, errorCode);
    return [sentence, quote].filter(Boolean).join(" ");
  };
}
