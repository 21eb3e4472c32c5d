import { bytesText } from "@comanda/ui/bytes-text.ts";
import type { HqAlert } from "@comanda/protocol/headquarters.ts";
import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";

/** Returns the texts of an alert: `short` is a word to show beside a restaurant, `sentence` says what to do. */
export function useAlertTexts() {
  const { t, format } = useTranslation("alert");
  return {
    // A kind that is newer than this page is shown by its name.
    short: (kind: string) => knownText(t, `short.${kind}`) ?? kind,
    sentence({ kind, values, group }: Pick<HqAlert, "kind" | "values" | "group">) {
      const day = typeof values["day"] === "string" ? { day: format.date(values["day"]) } : {};
      const size =
        typeof values["megabytes"] === "number" ? { size: bytesText(format, values["megabytes"] * 1_000_000) } : {};
      const remaining = kind === "fiscalLow" ? { count: values["remaining"] } : {};
      const shown = { ...values, ...day, ...size, ...remaining, group: group ?? "" };
      return knownText(t, `long.${kind}`, shown) ?? kind;
    },
  };
}
