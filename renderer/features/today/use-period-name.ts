import { localeOf } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Period } from "./period.ts";

/** Returns functions that name a period. */
export function usePeriodName() {
  const { t, language } = useTranslation("today");
  const formatOf = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(localeOf[language], { ...options, timeZone: "UTC" });
  return {
    /** For a title. */
    long({ kind, from, through }: Period): string {
      if (kind === "day") return formatOf({ dateStyle: "full" }).format(noonOf(from));
      if (kind === "month") return formatOf({ month: "long", year: "numeric" }).format(noonOf(from));
      return t("weekOf", { days: formatOf({ dateStyle: "long" }).formatRange(noonOf(from), noonOf(through)) });
    },
    /** For a day among others. */
    short: (day: string): string => formatOf({ weekday: "short", day: "numeric", month: "short" }).format(noonOf(day)),
  };
}

function noonOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`);
}
