import { settingTexts, type FeedEntry } from "@comanda/protocol";
import { useCallback } from "react";
import { useLanguage } from "@comanda/ui/translation.ts";
import { useBackOfficeText } from "../../components/hub-sentences.ts";
import { useSettledNote } from "../../components/settled-note.ts";

/** The text of these is the hub's own English, for its log; the screen of the thing says it in words. */
const unsaid: ReadonlySet<FeedEntry["kind"]> = new Set([
  "payment_unapplied",
  "backup_failed",
  "restore_failed",
  "data_file_doubt",
]);

/** The text of these is the back-office's answer, or why there was none. */
const ofBackOffice: ReadonlySet<FeedEntry["kind"]> = new Set([
  "forward_attention",
  "fiscal_failed",
  "back_office_refused",
]);

/** What an entry of the feed says beside its kind, in the reader's language; null where that is enough. */
export function useFeedText(): (kind: FeedEntry["kind"], text: string) => string | null {
  const language = useLanguage();
  const settledNote = useSettledNote();
  const backOfficeText = useBackOfficeText();
  const labels: Readonly<Partial<Record<string, string>>> = settingTexts[language];
  return useCallback(
    (kind, text) => {
      if (unsaid.has(kind)) return null;
      if (ofBackOffice.has(kind)) return backOfficeText(text);
      if (kind === "payment_settled") return settledNote(text);
      if (kind === "settings_changed") return settingLabels(text, labels);
      return text;
    },
    [settledNote, backOfficeText, labels],
  );
}

/** What settings are for, from their names: `HUB_NAME, HUB_HTTP_PORT`. */
export function settingLabels(names: string, labels: Readonly<Partial<Record<string, string>>>): string {
  return names
    .split(", ")
    .map((name) => labels[name] ?? name)
    .join("; ");
}
