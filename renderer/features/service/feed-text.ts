import { settingTexts, type FeedEntry } from "@comanda/protocol";
import { useCallback } from "react";
import { useLanguage } from "@comanda/ui/translation.ts";
import { useBackOfficeText, useSaid } from "../../components/hub-sentences.ts";

/** These tell what the back-office has answered, or why it has not. */
const ofBackOffice: ReadonlySet<FeedEntry["kind"]> = new Set([
  "forward_attention",
  "fiscal_failed",
  "fiscal_not_released",
  "fiscal_receipt",
  "back_office_refused",
]);

/** What an entry of the feed says beside its kind, in the reader's language; null where that is enough. */
export function useFeedText(): (kind: FeedEntry["kind"], detail: NonNullable<FeedEntry["detail"]>) => string | null {
  const language = useLanguage();
  const saidText = useSaid();
  const backOfficeText = useBackOfficeText();
  const labels: Readonly<Partial<Record<string, string>>> = settingTexts[language];
  return useCallback(
    (kind, { text, said, settings }) => {
      if (said !== undefined) return ofBackOffice.has(kind) ? backOfficeText(said) : saidText(said);
      return text ?? settings?.map((name) => labels[name] ?? name).join("; ") ?? null;
    },
    [saidText, backOfficeText, labels],
  );
}
