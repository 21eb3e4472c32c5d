import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { createFormat, FormatContext } from "../lib/format.ts";
import { useHub } from "../lib/hub.ts";

/** The currency of the country, until the hub has answered. */
const DEFAULT_CURRENCY = "DOP";

/** Money, dates and numbers in the chosen language and the point of sale's currency. */
export function FormatProvider({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation();
  const currency = useHub("overview").data?.detail?.currency;
  const language = i18n.language === "en" ? "en" : "es";
  const format = useMemo(() => createFormat(language, currency ?? DEFAULT_CURRENCY), [language, currency]);
  return <FormatContext value={format}>{children}</FormatContext>;
}
