import { BackOfficeErrorCode, type ErrorCode, type Sentence } from "@comanda/protocol";
import { useHubSentence } from "@comanda/ui/hub-sentences.ts";
import { refusalTexts } from "@comanda/ui/refusal-texts.ts";
import { useTranslation } from "@comanda/ui/translation.ts";

const knownCodes = [...BackOfficeErrorCode.options, "PERIOD_LOCKED", "PAID_BEFORE_RESTORE"] as const;

/** Codes with the same text whether the hub or the back-office refused. Other texts say that it was the back-office. */
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
  /** In the reader's language, or null if only the back-office's own text is known. */
  sentence: string | null;
  /** The back-office's own text, introduced as a quotation, or null if the hub wrote the text. */
  quote: string | null;
}

/** Returns a function that explains a stored back-office error by the hub's sentence or the back-office's code. */
export function useBackOfficeReason(): (sentence: Sentence, errorCode?: string | null) => BackOfficeReason {
  const { t } = useTranslation("backOfficeReason");
  const hubSentence = useHubSentence();
  return ({ about, reason, values, words = "" }, errorCode = null) => {
    const own = reason === undefined ? null : hubSentence(reason, values);
    const code = knownCodes.find((each) => each === errorCode);
    const meant = code === undefined ? null : isShared(code) ? refusalTexts(code).what : t(`code.${code}`);
    const sentence = own ?? meant;
    return {
      sentence: about === undefined ? sentence : [about, sentence].filter(Boolean).join(": "),
      quote: own !== null || words === "" ? null : t("says", { words }),
    };
  };
}

/** Like `useBackOfficeReason`, as one line. */
export function useBackOfficeText(): (sentence: Sentence, errorCode?: string | null) => string {
  const reasonOf = useBackOfficeReason();
  return (stored, errorCode) => {
    const { sentence, quote } = reasonOf(stored, errorCode);
    return [sentence, quote].filter(Boolean).join(" ");
  };
}
