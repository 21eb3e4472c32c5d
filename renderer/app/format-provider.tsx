import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { createFormat, FormatContext } from "@comanda/ui/format.ts";
import { useHub } from "../lib/hub.ts";

/** The currency of the country, until the hub has answered. */
const DEFAULT_CURRENCY = "DOP";

/** Money, dates and numbers in the chosen language and the point of sale's currency. */
export function FormatProvider({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation();
  const { data: overview } = useHub("overview");
  const currency = overview?.detail?.currency;
  const timeZone = overview?.hub.timeZone;
  const language = i18n.language === "en" ? "en" : "es";
  const format = useMemo(
    () => createFormat(language, currency ?? DEFAULT_CURRENCY, timeZone),
    [language, currency, timeZone],
  );
  return <FormatContext value={format}>{children}</FormatContext>;
}
