import type { HoleCause } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";

/** Returns a function that says what is missing of a restaurant's data, and why. */
export function useHoleText(): (cause: HoleCause) => string {
  const { t, format } = useTranslation("common");
  return (cause) => {
    if (cause.kind === "unreadable") return t("hole.unreadable", { error: cause.error });
    if (cause.kind === "unreadable_transfer") return t("hole.unreadable_transfer");
    return t("hole.not_sent", { from: format.date(cause.from), to: format.date(cause.to) });
  };
}
