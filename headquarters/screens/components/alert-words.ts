import type { HqAlert } from "@comanda/protocol/headquarters.ts";
import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";

/** What an alert says: in a word beside a restaurant, and in a sentence that says what to do. */
export function useAlertWords() {
  const { t, format } = useTranslation("alert");
  return {
    // A kind that this page is older than is shown by its name.
    short: (kind: string) => knownText(t, `short.${kind}`) ?? kind,
    sentence({ kind, values, group }: Pick<HqAlert, "kind" | "values" | "group">) {
      const day = typeof values["day"] === "string" ? { day: format.date(values["day"]) } : {};
      const size =
        typeof values["megabytes"] === "number" ? { size: format.bytes(values["megabytes"] * 1_000_000) } : {};
      const left = kind === "fiscalLow" ? { count: values["remaining"] } : {};
      const shown = { ...values, ...day, ...size, ...left, group: group ?? "" };
      return knownText(t, `long.${kind}`, shown) ?? kind;
    },
  };
}
