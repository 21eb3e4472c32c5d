import type { HqAlert } from "@comanda/protocol/headquarters.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import type texts from "./alert-texts.json";

/** What an alert says: in a word beside a restaurant, and in a sentence that says what to do. */
export function useAlertWords() {
  const { t } = useTranslation("alert");
  const format = useFormat();
  return {
    // A kind that this page is older than is shown by its name.
    short: (kind: string) => t(`short.${kind as keyof typeof texts.short}`).replace("short.", ""),
    sentence({ kind, values, group }: Pick<HqAlert, "kind" | "values" | "group">) {
      const day = typeof values["day"] === "string" ? { day: format.date(values["day"]) } : {};
      const size =
        typeof values["megabytes"] === "number" ? { size: format.bytes(values["megabytes"] * 1_000_000) } : {};
      const left = kind === "fiscalLow" ? { count: values["remaining"] } : {};
      const shown = { ...values, ...day, ...size, ...left, group: group ?? "" };
      return t(`long.${kind as keyof typeof texts.short}`, shown).replace("long.", "");
    },
  };
}
